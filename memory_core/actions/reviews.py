"""Decisions on memories that wait, by a person or by a reviewer agent."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from memory_core import auditing, isolation, locks
from memory_core.actions import agreement
from memory_core.contracts.callers import Actor, Caller, is_agent
from memory_core.contracts.enums import SourceKind, Status
from memory_core.contracts.reviews import (
    REPORTED,
    QueueView,
    Waiting,
    WaitingPage,
)
from memory_core.exceptions import (
    BeyondPolicy,
    DigestConflict,
    NotFound,
    TransitionRefused,
    VersionConflict,
)
from memory_core.models import Memory
from memory_core.querysets.memories import MemoryQuerySet
from memory_core.recall.views import views_of
from memory_core.saving import admitting, reviewing, transitions


def within_reach(by: Actor) -> MemoryQuerySet:
    """Return the memories that may be reviewed by whoever asks.

    A person reviews everywhere; a reviewer agent in the namespaces it reads and of the
    owners it may see, and never what it wrote itself.
    """
    rows = Memory.unscoped.select_related("owner", "source", "category", "namespace")
    if isinstance(by, Caller):
        rows = rows.filter(namespace_id__in=list(by.readable.values()))
        rows = rows.filter(owner__fenced_at=None, owner__restricted_by=None)
        rows = rows.exclude(agent_id=by.agent_id)
        rows = rows.of_claimed_owners(by.owner_claim)
    return rows


def waiting(
    *,
    by: Caller,
    view: QueueView = "held",
    after: UUID | None = None,
    limit: int = 50,
    now: datetime,
    without: Iterable[UUID] = (),
) -> WaitingPage:
    """Return what waits within the agent's reach, the oldest first, by keyset.

    Not the memories of `without`, ids that may be a query.
    """
    with isolation.console_transaction():
        reach = within_reach(by)
        rows: QuerySet[Memory] = reach.pending()
        if view == "sample":
            rows = reviewing.sample_of_inferences(reach, now=now)
        rows = agreement.left_to_agents(rows).exclude(pk__in=without).order_by("pk")
        if after:
            rows = rows.filter(pk__gt=after)
        found = list(rows[: limit + 1])
        shown = found[:limit]
        views = views_of([memory.pk for memory in shown], now=now)
    return WaitingPage(
        [
            Waiting(
                views[memory.pk],
                memory.owner.external_id,
                bytes(memory.content_digest).hex(),
            )
            for memory in shown
            if memory.pk in views  # else deleted in between
        ],
        shown[-1].pk if len(found) > limit else None,
    )


def approve(
    *,
    by: Actor,
    memory_id: UUID,
    expected_version: int,
    content_digest: str,
    reason: str = "",
    said: str = "",
    settles: bool = False,
    now: datetime | None = None,
) -> Memory:
    """Return the memory, active and reviewed, or waiting on.

    It waits on for a second reviewer, or when it contradicts something newer or more
    trusted that the reviewer was not shown: that stands beside it then, and approving
    again decides between the two. What it contradicts is superseded by it, and with
    what says the same by now it becomes one memory. `reason` is a
    code, `said` its words as the reviewer read them; `settles` says that a lead
    decides, who ends a dispute. Raises NotFound, VersionConflict,
    DigestConflict (the text is another one than was looked at), TransitionRefused
    (decided already, its source is blocked, or another person must agree), BeyondPolicy
    for an agent that the namespace does not let decide so much.
    """
    now = now or timezone.now()
    with _decided(by, memory_id, expected_version, content_digest) as memory:
        if isinstance(by, Caller) and not reviewing.agent_may_approve(memory):
            raise BeyondPolicy()
        if memory.source.blocked_at:
            raise TransitionRefused(
                "Its source is blocked; unblock it first.", why="source_blocked"
            )
        first = agreement.standing(memory)
        if first:
            agreement.require_other(first, by, settles=settles)
        found = admitting.present(memory, now=now)
        if found.unseen:
            admitting.show(memory, found.unseen)
            return memory
        if not first and agreement.rule_for(memory):
            agreement.begin(memory, by=by, reason=reason, said=said, now=now)
            return memory
        replaced = admitting.let_in(memory, found, by=by, now=now)
        more = {"first_by": first.approved_by} if first else {}
        more |= {"said": said} if said else {}
        _finish(memory, "review.approve", by, reason, now, superseded=replaced, **more)
    return memory


def reject(
    *,
    by: Actor,
    memory_id: UUID,
    expected_version: int,
    content_digest: str,
    reason: str = "",
    said: str = "",
    settles: bool = False,
    now: datetime | None = None,
) -> Memory:
    """Return the memory, rejected: out of recall at once, purged after its retention.

    Where somebody else would let it in, it waits on for a lead. Raises the same errors
    as `approve`.
    """
    now = now or timezone.now()
    with _decided(by, memory_id, expected_version, content_digest) as memory:
        if isinstance(by, Caller) and not reviewing.agent_may_reject(memory):
            raise BeyondPolicy()
        first = agreement.standing(memory)
        if first and first.is_disputed:
            agreement.require_other(first, by, settles=settles)
        elif first and first.approved_by != by.name:
            agreement.dispute(first, memory, by=by, reason=reason, said=said, now=now)
            return memory
        transitions.reject([memory.pk], now=now)
        more = {"said": said} if said else {}
        _finish(memory, "review.reject", by, reason, now, **more)
    return memory


def confirm(*, by: Actor, memory_id: UUID, now: datetime | None = None) -> Memory:
    """Return the memory that a reviewer agent decided on, as a person's decision now.

    Raises NotFound, and TransitionRefused for any other memory.
    """
    now = now or timezone.now()
    with _review_transaction(by):
        memory = _locked(by, memory_id)
        if not (by.is_person and is_agent(memory.reviewed_by)):
            raise TransitionRefused(
                "Only what a reviewer agent decided is confirmed.", why="not_by_agent"
            )
        _finish(memory, "review.confirm", by, "", now, decided_by=memory.reviewed_by)
    return memory


def reopen(*, by: Actor, memory_id: UUID, now: datetime | None = None) -> Memory:
    """Return the memory, waiting again: the undo of a decision, or sent to review."""
    now = now or timezone.now()
    with _review_transaction(by):
        memory = _locked(by, memory_id)
        if memory.status not in (Status.ACTIVE, Status.REJECTED) and not (
            memory.reviewed_at and memory.merged_into_id
        ):
            raise TransitionRefused(
                "Only a current or a rejected memory is sent to review.",
                why="not_reviewable",
            )
        admitting.take_out(memory, now=now)
        memory.refresh_from_db()
        memory.reviewed_at, memory.reviewed_by = None, ""
        memory.save(update_fields=["reviewed_at", "reviewed_by"])
        agreement.end(memory)
        auditing.record_of(memory, "review.reopen", by=by)
    return memory


def take_back(*, by: Actor, memory_id: UUID) -> Memory:
    """Return the memory, waiting for a first approval again.

    Raises NotFound, TransitionRefused if none stands or a second one disagreed.
    """
    with _review_transaction(by):
        memory = _locked(by, memory_id)
        first = agreement.standing(memory)
        if first is None:
            raise TransitionRefused(
                "No first approval stands.", why="no_first_approval"
            )
        agreement.take_back(first, memory, by=by)
    return memory


def lock_owner_of(by: Actor, memory_id: UUID) -> None:
    """Wait until nobody else writes for a memory's owner, before any row is locked."""
    rows = within_reach(by).filter(pk=memory_id)
    for owner, namespace in rows.values_list("owner_id", "namespace_id"):
        locks.lock_owner(owner=owner, namespace=namespace)


@contextmanager
def _review_transaction(by: Actor) -> Iterator[None]:
    """A reviewer agent sees owners of whom it knows nothing: it acts as the console."""
    if isinstance(by, Caller):
        with isolation.console_transaction():
            yield
    else:
        with isolation.transaction_for(by):
            yield


@contextmanager
def _decided(
    by: Actor, memory_id: UUID, expected_version: int, content_digest: str
) -> Iterator[Memory]:
    with _review_transaction(by):
        memory = _locked(by, memory_id)
        if memory.version != expected_version:
            raise VersionConflict(version=memory.version)
        if bytes(memory.content_digest).hex() != content_digest:
            raise DigestConflict(version=memory.version)
        if not _is_open(memory):
            raise TransitionRefused(
                "It was decided already.",
                why="decided" if memory.reviewed_by else "not_waiting",
                decided_by=memory.reviewed_by,
                decided_at=memory.reviewed_at and memory.reviewed_at.isoformat(),
            )
        yield memory


def _locked(by: Actor, memory_id: UUID) -> Memory:
    """Return the memory, and let nobody else write for its owner meanwhile."""
    lock_owner_of(by, memory_id)
    rows = within_reach(by).select_for_update(of=("self",)).filter(pk=memory_id)
    memory = rows.first()
    if memory is None:
        raise NotFound()
    return memory


def _is_open(memory: Memory) -> bool:
    is_inference = memory.source.kind == SourceKind.INFERENCE
    is_unreviewed = is_inference and memory.reviewed_at is None
    is_reported = REPORTED in memory.decision.get("reasons", [])
    return memory.status == Status.PENDING or (
        memory.status == Status.ACTIVE and (is_unreviewed or is_reported)
    )


def _finish(
    memory: Memory,
    action: str,
    by: Actor,
    reason: str,
    now: datetime,
    **counts: Any,
) -> None:
    memory.refresh_from_db()
    memory.reviewed_at, memory.reviewed_by = now, by.name
    reasons = memory.decision.get("reasons", [])
    if REPORTED in reasons:  # settled by this decision
        kept = [one for one in reasons if one != REPORTED]
        memory.decision = memory.decision | {"reasons": kept}
    memory.save(update_fields=["reviewed_at", "reviewed_by", "decision"])
    agreement.end(memory)
    auditing.record_of(memory, action, by=by, reason=reason, **counts)
