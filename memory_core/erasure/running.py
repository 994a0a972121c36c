"""A run from its fence to its end: passes, verification, purge, as often as needed."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import Q
from django.utils import timezone

from memory_core import auditing, faults, valkey
from memory_core.contracts.callers import SYSTEM
from memory_core.contracts.erasure import RunState, StoreBusy, Subject
from memory_core.erasure import (
    holds,
    passes,
    purging,
    repeating,
    sealing,
    verification,
)
from memory_core.exceptions import ServiceUnavailable
from memory_core.keys import tombstones
from memory_core.models import ErasureRun, Tombstone
from memory_core.recall import flushing

LOCK = 0x6D6E_0002  # with the run's number: one worker at a run
SETTLING = timedelta(seconds=4)
"""For so long after the fence other processes may know the owner from before it."""
MOST_ROUNDS = 3
MOST_FAILURES = 8
ERASED = (RunState.LIVE_ERASED, RunState.PARTIALLY_ERASED)
"""What is left then is the purge, which is tried for ever: nothing comes back by it."""
COPIES_BEHIND = "copies_behind"
"""What a run says while a standby or a replication slot has not followed the purge."""
PAUSE = timedelta(seconds=5)

LATER = (StoreBusy, valkey.Unavailable, ServiceUnavailable)
"""What only means to try again; it is no failure however often it comes."""

logger = logging.getLogger(__name__)


def open_runs() -> list[ErasureRun]:
    """Return the runs on which there may be something to do, the oldest first."""
    purged = Q(state=RunState.LIVE_ERASED) & Q(index_purged_at__isnull=False)
    return list(ErasureRun.objects.exclude(purged | Q(state=RunState.FAILED)))


def work(run_id: int, *, until: float) -> ErasureRun:
    """Work on a run until a moment of `time.monotonic()` and return it as it stands.

    Returns at once when another worker is at it, or when it has to wait.
    """
    with _alone(run_id) as is_alone:
        run = ErasureRun.objects.get(pk=run_id)
        while is_alone and _has_to_do(run):
            try:
                moved = _STEPS[RunState(run.state)](run, until)
            except (OperationalError, InterfaceError):
                raise
            except Exception as error:  # noqa: BLE001 - it is kept, told and tried again
                _note_failure(run, error)
                break
            if not moved or time.monotonic() >= until:
                break
    return run


def could_go_on(run: ErasureRun) -> bool:
    """Return whether the run would do something now, and is not just waiting."""
    busy = (RunState.FENCED, RunState.EXECUTING, RunState.VERIFYING)
    return run.state in busy and _has_to_do(run)


def _has_to_do(run: ErasureRun) -> bool:
    is_time = run.retry_at is None or run.retry_at <= timezone.now()
    return run.state in _STEPS and is_time


def _begin(run: ErasureRun, until: float) -> bool:
    """Wait until no process takes the owner for a living one, then count everything."""
    now = timezone.now()
    if now < run.fenced_at + SETTLING:
        _save(run, retry_at=run.fenced_at + SETTLING)
        return False
    flushing.flush()
    passes.lay_out(run, sealing.subject_of(run), now=now)
    _save(run, state=RunState.EXECUTING, started_at=run.started_at or now)
    return True


def _execute(run: ErasureRun, until: float) -> bool:
    subject = sealing.subject_of(run)
    passes.lay_out(run, subject, now=timezone.now())
    repeating.keep(run, subject)
    if not passes.work(run, subject, has_time=lambda: time.monotonic() < until):
        return True
    _save(
        run,
        state=RunState.VERIFYING,
        horizon=purging.horizon(),
        error="",
        vacuumed_to="",
    )
    return True


def _verify(run: ErasureRun, until: float) -> bool:
    """Let the probes decide: erased, partly erased, or once more."""
    subject = sealing.subject_of(run)
    now = timezone.now()
    held = holds.in_force(now=now)
    left, kept = passes.look_again(run, subject, held)
    found = verification.verify(subject, held)
    run.probes = [{**asdict(one), "at": now.isoformat()} for one in found]
    run.verified_at, run.holds, run.rounds = now, list(held.ids), run.rounds + 1
    left += sum(one.count for one in found)
    if left:
        _leave_residue(run, left)
    elif kept:
        _save(run, state=RunState.PARTIALLY_ERASED)
        _record(run, "partial")
    else:
        _finish(run, subject)
    return bool(left)


def _leave_residue(run: ErasureRun, left: int) -> None:
    """Try again a few times; what people have to decide on waits for them."""
    _save(run, state=RunState.RESIDUAL_FOUND, retry_at=timezone.now() + PAUSE)
    _record(run, "residue", left=left)


def _again(run: ErasureRun, until: float) -> bool:
    undecided = run.passes.filter(store="mentions", residue__gt=0).exists()
    if undecided or run.rounds >= MOST_ROUNDS:
        _save(run, retry_at=timezone.now() + timedelta(minutes=5), rounds=0)
        if not undecided:
            _save(run, state=RunState.FAILED, error="residue")
        return False
    passes.start_again(run)
    _save(run, state=RunState.EXECUTING)
    return True


def _wake(run: ErasureRun, until: float) -> bool:
    """Go on when other holds are in force than at the last look, else purge."""
    if list(holds.in_force(now=timezone.now()).ids) == list(run.holds):
        return _purge(run, until)
    passes.start_again(run)
    _save(run, state=RunState.EXECUTING, rounds=0, index_purged_at=None)
    return True


def _purge(run: ErasureRun, until: float) -> bool:
    if run.index_purged_at is not None:
        return False
    if not purging.purge(run):
        waits = COPIES_BEHIND if run.vacuumed_to else ""
        _save(run, retry_at=timezone.now() + PAUSE, error=waits)
        return False
    _save(run, index_purged_at=timezone.now(), error="")
    _record(run, "purged")
    return True


def _finish(run: ErasureRun, subject: Subject) -> None:
    """Say that the person is erased, and forget who it was."""
    now = timezone.now()
    with transaction.atomic():
        for one in subject.names:
            digests = tombstones.digests_of(one.kind, one.value)
            Tombstone.objects.filter(
                digest__in=[d.digest for d in digests], lifted_at=None, erased_at=None
            ).update(erased_at=now)
        run.subject = b""
        _save(run, state=RunState.LIVE_ERASED, live_erased_at=now, error="")
        _record(run, "live_erased")
    sealing.destroy(run.ref)


_STEPS: dict[RunState, Callable[[ErasureRun, float], bool]] = {
    RunState.FENCED: _begin,
    RunState.EXECUTING: _execute,
    RunState.VERIFYING: _verify,
    RunState.RESIDUAL_FOUND: _again,
    RunState.PARTIALLY_ERASED: _wake,
    RunState.LIVE_ERASED: _purge,
}


def _note_failure(run: ErasureRun, error: Exception) -> None:
    now = timezone.now()
    name = type(error).__name__
    logger.error("erasure %s: %s", run.ref, faults.type_and_places(error))
    run.refresh_from_db()
    if isinstance(error, LATER):
        _save(run, error=name, retry_at=now + PAUSE)
        return
    run.failures += 1
    is_over = run.failures >= MOST_FAILURES and run.state not in ERASED
    state = RunState.FAILED if is_over else RunState(run.state)
    wait = PAUSE * 2 ** min(run.failures, 6)
    _save(run, error=name, state=state, retry_at=now + wait)
    if is_over:
        _record(run, "failed", error=name)


def _save(run: ErasureRun, **values: object) -> None:
    if "retry_at" not in values:
        run.retry_at = None
    for name, value in values.items():
        setattr(run, name, value)
    run.save()


def _record(run: ErasureRun, outcome: str, **details: Any) -> None:
    with transaction.atomic():
        auditing.record(
            f"erasure.{outcome}", by=SYSTEM, run=run.ref, case=run.case_ref, **details
        )


@contextmanager
def _alone(run_id: int) -> Iterator[bool]:
    """Hold a session-level advisory lock on the run; it ends with the connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [LOCK, run_id])
        is_alone = bool(cursor.fetchone()[0])
    try:
        yield is_alone
    finally:
        if is_alone:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [LOCK, run_id])
