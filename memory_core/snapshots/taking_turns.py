"""Who writes snapshots and who takes a person out of them do not meet.

A snapshot that is written while a person is erased would bring them back when it is
renamed into its place. A snapshot may take long and can be written again: whoever
writes one gives way to an erasure that waits. All of it are locks of files, which a
process that dies lets go.
"""

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TypeVar

from django.conf import settings

from memory_core.contracts.erasure import StoreBusy

WRITING, AWAITED = ".writing", ".awaited"
PATIENCE = 5.0
"""Seconds within which a writer looks whether an erasure waits, on a busy machine."""
LOOK_SECONDS = 0.5
POLL_SECONDS = 0.05

_Item = TypeVar("_Item")


class GiveWay(Exception):
    """An erasure waits: what is being written is left, and written again later."""


@contextmanager
def writing() -> Iterator[None]:
    """Write a snapshot while no erasure goes through the files; others may too."""
    with _file(AWAITED) as turn:
        fcntl.flock(turn, fcntl.LOCK_SH)  # nobody overtakes an erasure that waits
    with _file(WRITING) as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        yield


@contextmanager
def alone() -> Iterator[None]:
    """Go through the files while none is written, as soon as the writers give way.

    Raises StoreBusy if one of them does not for some seconds.
    """
    until = time.monotonic() + PATIENCE
    with _file(AWAITED) as turn, _file(WRITING) as file:
        _lock(turn, until)
        _lock(file, until)
        yield


def giving_way(items: Iterator[_Item]) -> Iterator[_Item]:
    """Yield the items; raises GiveWay once an erasure waits."""
    looked_at = 0.0
    for item in items:
        if time.monotonic() >= looked_at + LOOK_SECONDS:
            if is_awaited():
                raise GiveWay
            looked_at = time.monotonic()
        yield item


def is_awaited() -> bool:
    """Return whether an erasure waits for the files, or is at them."""
    with _file(AWAITED) as turn:
        return not _locks(turn, fcntl.LOCK_SH)


def _lock(file: IO[str], until: float) -> None:
    while not _locks(file, fcntl.LOCK_EX):
        if time.monotonic() >= until:
            raise StoreBusy
        time.sleep(POLL_SECONDS)


def _locks(file: IO[str], kind: int) -> bool:
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _file(name: str) -> IO[str]:
    folder = Path(settings.SNAPSHOT_DIR)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return (folder / name).open("w")
