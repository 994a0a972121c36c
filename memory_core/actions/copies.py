"""Copies on request: carried over, taken, read again, replayed, looked into."""

import time
from collections.abc import Iterator
from pathlib import Path

from django.utils import timezone

from memory_core import auditing, isolation
from memory_core.contracts.callers import Actor
from memory_core.exceptions import InvalidInput
from memory_core.models import Copy, Job
from memory_core.snapshots import catalogue, daily, verifying
from memory_core.snapshots.catalogue import Alarm
from memory_core.snapshots.cold import draining, folder, replaying
from memory_core.snapshots.cold.replaying import Replayed

LONGEST = 24 * 3600.0


def is_there() -> bool:
    """Return whether a cold copy was left by a database, this one or a lost one."""
    return bool(folder.files(folder.root()))


def carry_over(*, by: Actor, everything: bool = False) -> int:
    """Bring the cold copy up to date now and return how many writes it took.

    With `everything` all memories are written once more, as into an empty folder.
    """
    with isolation.transaction_for(by):
        if everything:
            draining.refill()
        auditing.record("cold.copy", by=by, everything=everything)
    return draining.drain(now=timezone.now(), until=time.monotonic() + LONGEST)


def replay(*, by: Actor, where: Path | None = None) -> Replayed:
    """Bring back what the cold copy has and the database lacks; return the counts.

    Raises InvalidInput for a folder that is no cold copy.
    """
    root = where or folder.root()
    if not (root / "owners").is_dir():
        raise InvalidInput("There is no cold copy in that folder.")
    done = replaying.replay(root, now=timezone.now())
    with isolation.transaction_for(by):
        auditing.record("cold.replay", by=by, files=done.files, added=done.added)
    return done


def take(*, by: Actor) -> Job:
    """Return the job that writes today's snapshot once more."""
    with isolation.transaction_for(by):
        job = daily.order(by=by, now=timezone.now())
        auditing.record("snapshot.take", by=by, job=str(job.pk))
    return job


def verify(*, copy: Copy, by: Actor) -> Job:
    """Return the job that reads a copy whole again."""
    with isolation.transaction_for(by):
        job = verifying.order(copy, by=by, now=timezone.now())
        auditing.record("copy.verify", by=by, copy=copy.name or copy.kind)
    return job


def alarms() -> list[Alarm]:
    """Return what is wrong with the copies at this moment."""
    waiting = draining.oldest_waiting()
    return catalogue.alarms(waiting_since=waiting, now=timezone.now())


def lines_of(*, owner_id: str, by: Actor) -> Iterator[bytes]:
    """Return what the cold copy has of an owner, as lines of the portable format."""
    with isolation.transaction_for(by):
        auditing.record("cold.read", by=by, owner_id=owner_id)
    return folder.lines_of(owner_id)
