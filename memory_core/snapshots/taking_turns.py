"""Who writes snapshots and who takes a person out of them do not meet.

A snapshot that is written while a person is erased would bring them back when it is
renamed into its place.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from memory_core.contracts.erasure import StoreBusy


@contextmanager
def writing() -> Iterator[None]:
    """Write a snapshot while no erasure goes through the files; others may too."""
    with _file().open("w") as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        yield


@contextmanager
def alone() -> Iterator[None]:
    """Go through the files while none is written; raises StoreBusy at once."""
    with _file().open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StoreBusy from None
        yield


def _file() -> Path:
    folder = Path(settings.SNAPSHOT_DIR)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / ".writing"
