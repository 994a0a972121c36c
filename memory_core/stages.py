"""How long the stages of one call took, for those who asked to know."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter

Seconds = dict[str, float]

_kept: ContextVar[Seconds | None] = ContextVar("stages", default=None)


@contextmanager
def collected() -> Iterator[Seconds]:
    """Give a dict that holds, at the end of the block, seconds by stage."""
    seconds: Seconds = {}
    token = _kept.set(seconds)
    try:
        yield seconds
    finally:
        _kept.reset(token)


@contextmanager
def stage(name: str) -> Iterator[None]:
    """Add the block's time to stage `name`; free when nobody collects."""
    seconds = _kept.get()
    if seconds is None:
        yield
        return
    start = perf_counter()
    try:
        yield
    finally:
        seconds[name] = seconds.get(name, 0.0) + perf_counter() - start
