"""What happens to requests by itself: greeting, search, erasure, certificates, ageing.

Each step may be repeated: whoever is killed half-way leaves a state that the next call
takes up.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Q

from memory_core import backups, faults
from memory_core.actions import erasure
from memory_core.contracts.callers import SYSTEM
from memory_core.contracts.certificates import CertificateKind
from memory_core.contracts.erasure import Preview, RunState, RunView
from memory_core.models import LegalHold
from moderation.actions import (
    certificates,
    erasure_cases,
    erasure_letters,
    erasure_search,
)
from moderation.actions.casework import close, log, step
from moderation.actions.erasure_facts import facts_of
from moderation.cases import file_of
from moderation.models import CaseLetter, CaseState, ErasureCase

WAITING = (CaseState.SCHEDULED, CaseState.BLOCKED_BY_HOLD)
FOLLOWED = (CaseState.RUNNING, CaseState.PARTIALLY_ERASED)

LOCK = "SELECT pg_advisory_lock(hashtextextended('case ' || %s, 0))"
UNLOCK = LOCK.replace("_lock", "_unlock")

logger = logging.getLogger(__name__)


def advance_all(*, now: datetime) -> int:
    """Take each request that does not wait for a person one step on.

    Returns how many there were. One that fails is logged and does not stop the others.
    """
    waiting = Q(state__in=WAITING, start_at__lte=now)
    seen = Q(state=CaseState.AWAITING_APPROVAL, decision="erase")
    rows = ErasureCase.objects.filter(
        Q(state__in=[*erasure_search.SEARCHING, *FOLLOWED, CaseState.BACKUPS_AGING])
        | waiting
        | seen
        | Q(state=CaseState.RECEIVED, letters=None)
        | Q(state=CaseState.REFUSED, certificates=None)
    )
    refs = list(rows.order_by("due_on", "pk").values_list("ref", flat=True))
    for ref in refs:
        try:
            advance(ref=ref, now=now)
        except Exception as error:  # noqa: BLE001 - the next one must not wait for it
            logger.error("request %s: %s", ref, faults.type_and_places(error))
    return len(refs)


def advance(*, ref: str, now: datetime) -> ErasureCase:
    """Return a request after its next step; one that waits for people stays as it is.

    Waits for whoever advances the same one. Not for use inside a transaction: an
    erasure begins in one of its own.
    """
    with _alone(ref):
        case = ErasureCase.objects.get(ref=ref)
        if advance_by := STEPS.get(CaseState(case.state)):
            advance_by(case, now)
            case.refresh_from_db()
    return case


@contextmanager
def _alone(ref: str) -> Iterator[None]:
    """Hold a lock of this connection, over several transactions."""
    with connection.cursor() as cursor:
        cursor.execute(LOCK, [ref])
        try:
            yield
        finally:
            cursor.execute(UNLOCK, [ref])


def _greet(case: ErasureCase, now: datetime) -> None:
    erasure_cases.greet(ref=case.ref, by=SYSTEM, now=now)


def _begin(case: ErasureCase, now: datetime) -> None:
    subject, decided = file_of(case).subject(), erasure_search.decided(case)
    seen = erasure.preview(subject=subject, by=SYSTEM, mentions=decided)
    if _is_all_held(seen):
        if case.state != CaseState.BLOCKED_BY_HOLD:
            with step(case.ref, by=SYSTEM, within=WAITING) as row:
                row.state = CaseState.BLOCKED_BY_HOLD
                log(row, "blocked_by_hold", by=SYSTEM, now=now)
        return
    prepared, approved = case.proposed_by, case.approved_by
    if prepared is None or approved is None:
        raise AssertionError("the database lets no such request be scheduled")
    with step(case.ref, by=SYSTEM, within=WAITING) as row:
        row.state = CaseState.RUNNING
        log(row, "begun", by=SYSTEM, now=now)
    run = erasure.start(
        subject=subject,
        case_ref=case.ref,
        ground=case.ground,
        prepared_by=str(prepared.pk),
        approved_by=str(approved.pk),
        mentions=decided,
        preview_digest=(case.preview or {}).get("digest", ""),
        by=SYSTEM,
    )
    ErasureCase.objects.filter(pk=case.pk).update(run_ref=run)


def _follow(case: ErasureCase, now: datetime) -> None:
    if not case.run_ref:  # killed between the fence and the note of it
        _restart(case)
        return
    run = erasure.state(run=case.run_ref)
    if run.state == RunState.LIVE_ERASED:
        _end_erased(case, run, now)
    elif run.state == RunState.PARTIALLY_ERASED:
        if case.state != CaseState.PARTIALLY_ERASED:
            _end_partly(case, run, now)
    else:
        _watch(case, run, now)


def _watch(case: ErasureCase, run: RunView, now: datetime) -> None:
    """Show what a run is stopped by: an error, or mentions to decide on."""
    late = erasure.undecided(run=run.ref, by=SYSTEM) if run.undecided else ()
    failed = run.error if run.state == RunState.FAILED else ""
    if late or failed != case.error or case.state != CaseState.RUNNING:
        with step(case.ref, by=SYSTEM, within=FOLLOWED) as row:
            row.state, row.error = CaseState.RUNNING, failed
            erasure_search.note_mentions(row, late)
            if failed:
                log(row, "failed", by=SYSTEM, now=now, error=failed)


def _end_erased(case: ErasureCase, run: RunView, now: datetime) -> None:
    with step(case.ref, by=SYSTEM, within=FOLLOWED) as row:
        row.state, row.error = CaseState.BACKUPS_AGING, ""
        row.live_erased_at, row.index_purged_at = (
            run.live_erased_at,
            run.index_purged_at,
        )
        row.backups_until = _backups_until(row)
        log(row, "live_erased", by=SYSTEM, now=now)
        erasure_letters.write(row, CaseLetter.Kind.ERASED, now=now)
        if row.recipients.exists():
            erasure_letters.write(row, CaseLetter.Kind.RECIPIENT, now=now)
        _certify(row, CertificateKind.INTERIM, now)


def _end_partly(case: ErasureCase, run: RunView, now: datetime) -> None:
    with step(case.ref, by=SYSTEM, within=FOLLOWED) as row:
        row.state, row.error = CaseState.PARTIALLY_ERASED, ""
        row.live_erased_at = row.live_erased_at or run.verified_at
        holds = LegalHold.objects.filter(pk__in=run.holds)
        kept = holds.order_by("reason").values_list("reason", flat=True).distinct()
        log(row, "partially_erased", by=SYSTEM, now=now, holds=len(run.holds))
        erasure_letters.write(row, CaseLetter.Kind.PARTLY, now=now, kept=kept)
        _certify(row, CertificateKind.PARTIAL, now)


def _age(case: ErasureCase, now: datetime) -> None:
    """Close a request whose data no backup and no index holds any more."""
    purged = erasure.state(run=case.run_ref).index_purged_at
    until = _backups_until(case)
    drill = backups.last_drill()
    is_over = until is None and purged and (drill is None or drill.ok)
    known = (case.index_purged_at, case.backups_until)
    if not is_over and known == (purged, until):
        return
    with step(case.ref, by=SYSTEM, within=[CaseState.BACKUPS_AGING]) as row:
        row.index_purged_at = purged
        row.backups_until = until or row.backups_until
        if is_over:
            close(row, CaseState.CLOSED_COMPLETE, now=now)
            log(row, "complete", by=SYSTEM, now=now)
            _certify(row, CertificateKind.FINAL, now, backups_gone_at=now)


def _certify_refusal(case: ErasureCase, now: datetime) -> None:
    with step(case.ref, by=SYSTEM, within=[CaseState.REFUSED]) as row:
        _certify(row, CertificateKind.REFUSAL, now)


def _certify(
    case: ErasureCase, kind: CertificateKind, now: datetime, **more: Any
) -> None:
    case.save()
    facts = facts_of(case, kind, **more)
    made = certificates.issue(case=case, facts=facts, by=SYSTEM, now=now)
    log(case, "certified", by=SYSTEM, now=now, kind=kind.value, version=made.version)


def _restart(case: ErasureCase) -> None:
    """Let the next call begin anew: a second start of a case gives the same run."""
    rows = ErasureCase.objects.filter(pk=case.pk, state=CaseState.RUNNING, run_ref="")
    rows.update(state=CaseState.SCHEDULED)


def _is_all_held(found: Preview) -> bool:
    goes = sum(one.erase + one.redact for one in found.counts)
    return not goes and any(one.keep for one in found.counts)


def _backups_until(case: ErasureCase) -> Any:
    if case.live_erased_at is None:
        return None
    expiry = backups.newest_backup_holding(case.live_erased_at)
    return expiry.date() if expiry else None


STEPS: dict[CaseState, Callable[[ErasureCase, datetime], None]] = {
    CaseState.RECEIVED: _greet,
    CaseState.IDENTITY_OK: erasure_search.search,
    CaseState.DISCOVERING: erasure_search.search,
    CaseState.AWAITING_APPROVAL: erasure_search.recount,
    CaseState.SCHEDULED: _begin,
    CaseState.BLOCKED_BY_HOLD: _begin,
    CaseState.RUNNING: _follow,
    CaseState.PARTIALLY_ERASED: _follow,
    CaseState.BACKUPS_AGING: _age,
    CaseState.REFUSED: _certify_refusal,
}
