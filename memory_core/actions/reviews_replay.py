"""Which questions a memory that waits would have answered, had it been let in."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

import orjson
from django.db import transaction

from memory_core.contracts.callers import SYSTEM
from memory_core.exceptions import TransitionRefused
from memory_core.models import Memory, RecallSample
from memory_core.recall import engine
from memory_core.recall.samples import query_of, scope_of
from memory_core.saving import admitting

MOST = 20
LOOKED_THROUGH = 200
SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Served:
    """A question whose answer has the memory, at which rank; when it was asked."""

    question: str
    rank: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Replay:
    """`asked` of the `kept` questions were asked in time; the best ranks come first.

    For `held_back` of them the memory would be found, but not given: the read check
    keeps it back even then, it has faded, or there is no room.
    """

    kept: int
    asked: int
    served: list[Served]
    held_back: int = 0


def replay(memory: Memory, *, now: datetime, seconds: float = SECONDS) -> Replay:
    """Return what its owner's last different questions in its namespace would give it.

    The memory is let in for that and everything is taken back; nothing is touched.
    Asks none once `seconds` are over.
    """
    samples = list(islice(_different(memory), MOST))
    if not samples:
        return Replay(0, 0, [])
    end, asked, held_back = time.monotonic() + seconds, 0, 0
    served: list[Served] = []
    with _let_in(memory, now):
        for sample in samples:
            if time.monotonic() >= end:
                break
            asked += 1
            found = engine.search(SYSTEM, scope_of(sample), query_of(sample), now=now)
            given = [hit.memory.memory_id for hit in found.hits]
            if memory.pk in given:
                rank = given.index(memory.pk) + 1
                served.append(Served(sample.query, rank, sample.at))
            elif any(memory.pk in ids for ids in found.withheld.ids.values()):
                held_back += 1
    served.sort(key=lambda one: one.rank)
    return Replay(len(samples), asked, served, held_back)


def _different(memory: Memory) -> Iterator[RecallSample]:
    """Yield the latest kept questions, each once."""
    rows = RecallSample.objects.filter(
        owner=memory.owner_id, namespace=memory.namespace_id
    )
    seen = set()
    for sample in rows.select_related("owner").order_by("-pk")[:LOOKED_THROUGH]:
        kept = orjson.dumps(sample.filters, option=orjson.OPT_SORT_KEYS)
        if (sample.query, kept) not in seen:
            seen.add((sample.query, kept))
            yield sample


@contextmanager
def _let_in(memory: Memory, now: datetime) -> Iterator[None]:
    with transaction.atomic():
        Memory.unscoped.filter(pk=memory.pk).update(
            reviewed_at=now, reviewed_by=SYSTEM.name
        )
        row = Memory.unscoped.select_related("source").get(pk=memory.pk)
        with suppress(TransitionRefused):
            found = admitting.present(row, now=now)
            admitting.let_in(row, found, by=SYSTEM, now=now)
        yield
        transaction.set_rollback(True)
