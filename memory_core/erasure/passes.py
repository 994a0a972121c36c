"""The passes of a run: one store after the other, in pieces that may be repeated."""

from datetime import datetime
from typing import Protocol

from django.db import connection, transaction
from django.utils import timezone

from memory_core import auditing, erasers
from memory_core.contracts.callers import SYSTEM
from memory_core.contracts.erasure import Eraser, Holds, Step, Subject
from memory_core.erasure import holds
from memory_core.models import ErasedMemory, ErasurePass, ErasureRun

DECIDED = "decided"


class Clock(Protocol):
    """Whether there is time left in this turn."""

    def __call__(self) -> bool: ...


def lay_out(run: ErasureRun, subject: Subject, *, now: datetime) -> None:
    """Write down a pass for each store and what it has; once is enough."""
    held = holds.in_force(now=now)
    known = set(run.passes.values_list("store", flat=True))
    ErasurePass.objects.bulk_create(
        [
            ErasurePass(
                run=run,
                position=position,
                store=eraser.store,
                matched=eraser.count(subject, held).matched,
            )
            for position, eraser in enumerate(erasers.registered(), start=1)
            if eraser.store not in known
        ],
        ignore_conflicts=True,
    )


def work(run: ErasureRun, subject: Subject, *, has_time: Clock) -> bool:
    """Go on with the passes while there is time; return whether all are done.

    A pass that fails raises what it raised; what it did before stays done.
    """
    for eraser, row in _open_passes(run):
        if row.started_at is None:
            row.started_at = timezone.now()
        row.attempts += 1
        row.save(update_fields=["started_at", "attempts"])
        while not _piece(run, eraser, row, subject):
            if not has_time():
                return False
        if not has_time():
            return not _open_passes(run)
    return True


def look_again(run: ErasureRun, subject: Subject, held: Holds) -> tuple[int, int]:
    """Have each store say what is left; return how much is left, and how much held.

    What people decided to keep is not held: the erasure is complete with it.
    """
    rows = {row.store: row for row in run.passes.all()}
    left = kept = 0
    for eraser in erasers.registered():
        row = rows[eraser.store]
        counted = eraser.count(subject, held)
        row.residue = eraser.residue(subject, held)
        row.held = counted.keep
        row.save(update_fields=["residue", "held"])
        left += row.residue
        kept += counted.keep if counted.ground != DECIDED else 0
    return left, kept


def start_again(run: ErasureRun) -> None:
    """Open all passes once more: something was left, or a hold has ended."""
    run.passes.update(ended_at=None, residue=None)


def _open_passes(run: ErasureRun) -> list[tuple[Eraser, ErasurePass]]:
    rows = {row.store: row for row in run.passes.filter(ended_at=None)}
    return [
        (eraser, rows[eraser.store])
        for eraser in erasers.registered()
        if eraser.store in rows
    ]


def _piece(run: ErasureRun, eraser: Eraser, row: ErasurePass, subject: Subject) -> bool:
    """Do one piece in its own transaction, by the holds of that moment."""
    now = timezone.now()
    with transaction.atomic():
        held = holds.settled(now=now)
        _lock_owners(subject)
        step = eraser.erase(subject, held)
        _keep_ids(run, step)
        row.erased += step.erased
        row.redacted += step.redacted
        if step.is_done:
            left = eraser.count(subject, held).matched
            row.held = step.held
            # What went with another store's rows is gone from this one too.
            row.erased = max(row.erased, row.matched - row.redacted - left)
            row.ended_at = now
            _record(run, row)
        row.save(update_fields=["erased", "redacted", "held", "ended_at"])
    return step.is_done


def _lock_owners(subject: Subject) -> None:
    """A flush of recall notes keeps the row shared: it is waited for, and waits."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id FROM memory_core_owner WHERE id = ANY(%s::bigint[])"
            " ORDER BY id FOR UPDATE",
            [list(subject.rows)],
        )


def _keep_ids(run: ErasureRun, step: Step) -> None:
    gone = [ErasedMemory(memory_id=one, run=run) for one in step.memory_ids]
    ErasedMemory.objects.bulk_create(gone, ignore_conflicts=True)


def _record(run: ErasureRun, row: ErasurePass) -> None:
    auditing.record(
        "erasure.pass",
        by=SYSTEM,
        run=run.ref,
        store=row.store,
        matched=row.matched,
        erased=row.erased,
        redacted=row.redacted,
        held=row.held,
    )
