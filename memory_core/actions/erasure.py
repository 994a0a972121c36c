"""What people do about erasures: look ahead, begin, decide on mentions, try again."""

from collections.abc import Mapping
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memory_core import auditing, isolation
from memory_core.contracts.callers import Actor
from memory_core.contracts.erasure import (
    Mention,
    PassView,
    Preview,
    Residue,
    RunState,
    RunView,
    Subject,
    Treatment,
)
from memory_core.erasure import discovery, fencing, sealing
from memory_core.erasure import mentions as mentioning
from memory_core.erasure.discovery import Recipient
from memory_core.erasure.fencing import Order
from memory_core.exceptions import InvalidInput, NotFound, TransitionRefused
from memory_core.models import ErasedMemory, ErasureRun
from memory_core.queueing import enqueue

Decisions = Mapping[UUID, str]
OTHER_APPROVES = "The approver must be another person than the one who asked."


def preview(
    *, subject: Subject, by: Actor, mentions: Decisions | None = None
) -> Preview:
    """Return what an erasure would do, with these decisions on mentions.

    Raises valkey.Unavailable.
    """
    decided = {one: Treatment(word) for one, word in (mentions or {}).items()}
    with isolation.transaction_for(by):
        return discovery.preview(subject, decided=decided, now=timezone.now())


def recipients(*, subject: Subject, by: Actor) -> list[Recipient]:
    """Return the agents to which the person's memories were given."""
    with isolation.transaction_for(by):
        return discovery.recipients(subject)


def start(
    *,
    subject: Subject,
    case_ref: str,
    ground: str,
    prepared_by: str,
    approved_by: str,
    by: Actor,
    mentions: Decisions | None = None,
    preview_digest: str = "",
) -> str:
    """Fence the person off and return the ref of the run that erases them.

    A case has one run: a second call returns the first one's. Needs a transaction of
    its own (RuntimeError in another one), since the ledger outside the database is
    written first. Raises InvalidInput when nobody is named or one person did both.
    """
    if prepared_by == approved_by:
        raise InvalidInput(OTHER_APPROVES, field="approved_by")
    if not subject.owner_ids and not subject.identifiers:
        raise InvalidInput(
            "Name at least one owner id or identifier.", field="owner_ids"
        )
    if known := ErasureRun.objects.filter(case_ref=case_ref).exclude(case_ref=""):
        return known[0].ref
    order = Order(case_ref, ground, prepared_by, approved_by, preview_digest)
    decided = {one: Treatment(word) for one, word in (mentions or {}).items()}
    run = fencing.fence(subject, order, mentions=decided, by=by, now=timezone.now())
    enqueue("tend_erasures")
    return run.ref


def decide_mentions(*, run: str, mentions: Decisions, by: Actor) -> None:
    """Add decisions on other owners' memories that mention the person, and go on.

    Raises NotFound, TransitionRefused when the run has ended.
    """
    with transaction.atomic():
        row = _locked(run)
        if row.state == RunState.LIVE_ERASED:
            raise TransitionRefused(
                "The erasure has ended; nothing is left to decide.", why="erased"
            )
        words = {str(one): Treatment(word).value for one, word in mentions.items()}
        row.mentions = row.mentions | words
        if row.state == RunState.RESIDUAL_FOUND:
            row.passes.update(ended_at=None, residue=None)
            row.state, row.retry_at, row.rounds = RunState.EXECUTING, None, 0
        row.save()
        auditing.record(
            "erasure.decide",
            by=by,
            run=row.ref,
            case=row.case_ref,
            redact=sum(word == Treatment.REDACT for word in words.values()),
            keep=sum(word == Treatment.KEEP for word in words.values()),
        )
        enqueue("tend_erasures")


def undecided(*, run: str, by: Actor) -> tuple[Mention, ...]:
    """Return the mentions of an unfinished run that nobody decided on."""
    with isolation.transaction_for(by):
        row = _found(run)
        if not row.subject:
            return ()
        subject = sealing.subject_of(row)
        found = mentioning.of(subject)
    return tuple(one for one in found if subject.treatment(one.memory_id) is None)


def resume(*, run: str, by: Actor) -> None:
    """Have a failed run tried again, from the pass that failed.

    Raises NotFound, TransitionRefused for a run that has not failed.
    """
    with transaction.atomic():
        row = _locked(run)
        if row.state != RunState.FAILED:
            raise TransitionRefused(
                "Only an erasure that failed can be tried again.", why="not_failed"
            )
        row.passes.update(residue=None)
        row.state, row.retry_at = RunState.EXECUTING, None
        row.failures = row.rounds = 0
        row.save()
        auditing.record("erasure.resume", by=by, run=row.ref, case=row.case_ref)
        enqueue("tend_erasures")


def state(*, run: str) -> RunView:
    """Return a run as it stands; raises NotFound."""
    row = _found(run)
    passes = tuple(
        PassView(
            one.store,
            one.matched,
            one.erased,
            one.redacted,
            one.held,
            one.residue,
            one.attempts,
            one.started_at,
            one.ended_at,
        )
        for one in row.passes.all()
    )
    probes = [Residue(one["probe"], one["store"], one["count"]) for one in row.probes]
    left = [one.residue or 0 for one in passes if one.store == "mentions"]
    return RunView(
        ref=row.ref,
        case_ref=row.case_ref,
        state=RunState(row.state),
        ground=row.ground,
        prepared_by=row.prepared_by,
        approved_by=row.approved_by,
        preview_digest=row.preview_digest,
        passes=passes,
        probes=tuple(probes),
        holds=tuple(row.holds),
        undecided=sum(left),
        error=row.error,
        fenced_at=row.fenced_at,
        started_at=row.started_at,
        verified_at=row.verified_at,
        live_erased_at=row.live_erased_at,
        index_purged_at=row.index_purged_at,
    )


def erased_by(memory_id: UUID) -> str:
    """Return the case by which a memory was erased, empty if by none."""
    rows = ErasedMemory.objects.filter(pk=memory_id, run__is_canary=False)
    return rows.values_list("run__case_ref", flat=True).first() or ""


def _found(ref: str) -> ErasureRun:
    row = ErasureRun.objects.filter(ref=ref).first()
    if row is None:
        raise NotFound()
    return row


def _locked(ref: str) -> ErasureRun:
    row = ErasureRun.objects.select_for_update().filter(ref=ref).first()
    if row is None:
        raise NotFound()
    return row
