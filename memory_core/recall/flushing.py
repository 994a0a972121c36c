"""Write what recalls left behind: in batches, each once, whoever else is at it."""

import logging
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, fields
from uuid import UUID

from django.db import DataError, connection, transaction
from django.utils import timezone

from memory_core.contracts.touches import Note
from memory_core.models import FlushMark
from memory_core.recall import batches, trail, uses
from memory_core.recall.batches import Batch
from memory_core.recall.gaining import Gains, SessionKey, gains_of

LOCK = 0x6D6E_0001  # one flush at a time in a database
LOCK_TIMEOUT = "500ms"
"""Shorter than the wait before deadlocks are looked for: a flush yields to a save."""

REFUSED = (DataError, OverflowError, ValueError)
"""What writing a note raises that says what no row can hold."""

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Flushed:
    """What a flush wrote: counts. `is_busy` says that another one was under way."""

    notes: int = 0
    gains: int = 0
    kin: int = 0
    events: int = 0
    audit_entries: int = 0
    samples: int = 0
    unreadable: int = 0
    is_busy: bool = False

    def add(self, other: "Flushed") -> None:
        """Count what another flush counted too."""
        for name in COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))


COUNTS = [one.name for one in fields(Flushed) if one.name != "is_busy"]


def flush(*, wait: bool = True) -> Flushed:
    """Write all waiting notes and return what was written.

    Without `wait` it leaves at once when another flush is under way. Raises
    valkey.Unavailable, and OperationalError when a save holds what is to be written
    for too long; the batch then stays for the next flush.
    """
    done = Flushed()
    with _alone(wait=wait) as is_alone:
        if not is_alone:
            done.is_busy = True
            return done
        while (batch := batches.take()) is not None:
            _write(batch, done)
    return done


def _write(batch: Batch, done: Flushed) -> None:
    gained = batches.gained_before(batch.notes)
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
        is_new = not FlushMark.objects.filter(batch=batch.id).exists()
        try:
            by_session, written = _write_notes(batch.notes, gained, is_new=is_new)
        except REFUSED as error:
            logger.error("recall notes are written one by one: %s", error)
            by_session, written = _write_singly(batch.notes, gained, is_new=is_new)
        if is_new:
            FlushMark.objects.update_or_create(
                id=1, defaults={"batch": batch.id, "at": timezone.now()}
            )
    batches.finish(by_session)
    written.unreadable += batch.unreadable if is_new else 0
    done.add(written)
    if written.unreadable:
        logger.error("%d recall notes were not understood", written.unreadable)


BySession = dict[SessionKey, set[UUID]]


def _write_notes(
    notes: Sequence[Note], gained: Mapping[SessionKey, Set[UUID]], *, is_new: bool
) -> tuple[BySession, Flushed]:
    """Write notes in a transaction of their own; raises REFUSED for a bad one."""
    with transaction.atomic():
        owners = trail.known_owners(notes)
        last_gain_at = uses.lock_uses(notes)
        gains = gains_of(notes, gained=gained, last_gain_at=last_gain_at)
        return gains.by_session, _written(notes, gains, owners) if is_new else Flushed()


def _write_singly(
    notes: Sequence[Note], gained: Mapping[SessionKey, Set[UUID]], *, is_new: bool
) -> tuple[BySession, Flushed]:
    """Write what can be written; a note that the database refuses spoils no other."""
    by_session: BySession = {}
    done = Flushed()
    before = {key: set(ids) for key, ids in gained.items()}
    for note in sorted(notes, key=lambda note: note.at):
        try:
            new, written = _write_notes([note], before, is_new=is_new)
        except REFUSED:
            done.unreadable += 1
            continue
        done.add(written)
        for key, ids in new.items():
            by_session.setdefault(key, set()).update(ids)
            before.setdefault(key, set()).update(ids)
    return by_session, done


def _written(notes: Sequence[Note], gains: Gains, owners: frozenset[int]) -> Flushed:
    done = Flushed(
        gains=uses.write_gains(gains),
        kin=uses.write_kinship(gains),
        events=trail.write_events(notes),
        audit_entries=trail.write_audit(notes),
        samples=trail.write_samples(notes, owners),
        notes=len(notes),
    )
    trail.write_token_uses(notes)
    return done


@contextmanager
def _alone(*, wait: bool) -> Iterator[bool]:
    function = "pg_advisory_lock" if wait else "pg_try_advisory_lock"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(%s)", [LOCK])
        is_alone = wait or bool(cursor.fetchone()[0])
    try:
        yield is_alone
    finally:
        if is_alone:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
