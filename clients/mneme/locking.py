"""A lock between threads and processes, on a file of its own."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mneme.errors import Unavailable

if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(descriptor: int) -> None:
        os.lseek(descriptor, 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


_PAUSE = 0.005  # seconds between two tries; flock itself cannot time out


class FileLock:
    """A lock that one thread of one process holds at a time.

    The operating system frees it when its holder dies. The file stays, because
    removing it would let two processes lock two different files.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._threads = threading.Lock()

    @contextmanager
    def held(self, *, wait: float = 30.0) -> Iterator[None]:
        """Hold the lock; `Unavailable` if it is not free within `wait` seconds."""
        until = time.monotonic() + wait
        if not self._threads.acquire(timeout=max(wait, 0)):
            raise Unavailable(f"{self._path} is locked by another thread")
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                self._wait_for(descriptor, until)
                try:
                    yield
                finally:
                    _unlock(descriptor)
            finally:
                os.close(descriptor)
        finally:
            self._threads.release()

    def _wait_for(self, descriptor: int, until: float) -> None:
        while not _try_lock(descriptor):
            if time.monotonic() >= until:
                raise Unavailable(f"{self._path} is locked by another process")
            time.sleep(_PAUSE)
