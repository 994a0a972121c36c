"""Parallel screening in a pool of processes, for imports.

Outside `in_parallel` the calling process does it all, as it must where it may have no
children (a worker of the queue).
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from threading import Thread

import django

from memory_core.contracts.screening import Provenance, Verdict
from memory_core.screening.screen import Heard, screen

AT_ONCE = 20
"""Writes that a process gets in one go."""
FEW = 2 * AT_ONCE
"""Writes for which it is not worth asking another process."""

Fields = Mapping[str, object]

_pool: ProcessPoolExecutor | None = None


@contextmanager
def in_parallel() -> Iterator[None]:
    """Screen with one process per core inside this block."""
    global _pool
    cores = os.cpu_count() or 1
    if cores == 1 or _pool is not None:
        yield
        return
    context = get_context("spawn")
    with ProcessPoolExecutor(cores, context, initializer=_begin) as pool:
        _pool = pool
        try:
            yield
        finally:
            _pool = None


def is_parallel() -> bool:
    """Return whether a pool of processes screens."""
    return _pool is not None


def _begin() -> None:
    """Set up a process of the pool that exits when its parent does."""
    django.setup()
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if parent := parent_process():
        parent.join()
        os._exit(1)


def screen_all(writes: Sequence[Fields], provenance: Provenance) -> Iterator[Verdict]:
    """Yield the verdict on each write, in their order."""
    if _pool is None or len(writes) < FEW:
        yield from _each(writes, provenance)
        return
    parts = [writes[at : at + AT_ONCE] for at in range(0, len(writes), AT_ONCE)]
    for verdicts in _pool.map(_screen_part, parts, [provenance] * len(parts)):
        yield from verdicts


def _screen_part(writes: Sequence[Fields], provenance: Provenance) -> list[Verdict]:
    return list(_each(writes, provenance))


def _each(writes: Sequence[Fields], provenance: Provenance) -> Iterator[Verdict]:
    heard: Heard = {}
    return (screen(fields, provenance, heard) for fields in writes)
