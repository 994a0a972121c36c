"""The latest kept queries asked twice: as things are, and with another half-life.

Both answers are those of this moment, for what is active now; nothing is touched.
"""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from memory_core import jobs
from memory_core.contracts.callers import SYSTEM
from memory_core.contracts.categories import Settings, Tried
from memory_core.models import CategoryOverride, Feedback, Job, RecallSample
from memory_core.recall import engine
from memory_core.recall.samples import query_of, scope_of

KIND = "backtest"
MOST = 1000
MOST_CASES = 100
GOOD = ("used", "useful")


@dataclass(slots=True)
class Sums:
    """What the queries so far add up to; `now` as things are, `then` as tried.

    `wanted` are queries of which something was used, `hits` those that find it;
    `told` are returned memories on which an agent gave a verdict, `good` those of
    them that were of use.
    """

    queries: int = 0
    changed: int = 0
    overlap: float = 0.0
    wanted: int = 0
    hits_now: int = 0
    hits_then: int = 0
    told_now: int = 0
    told_then: int = 0
    good_now: int = 0
    good_then: int = 0
    seconds_now: float = 0.0
    seconds_then: float = 0.0

    def add(self, now: "Answer", then: "Answer", verdicts: dict[UUID, bool]) -> None:
        """Add one query with both of its answers and what agents said of them."""
        used = {memory_id for memory_id, good in verdicts.items() if good}
        every = {*now.ids, *then.ids}
        self.queries += 1
        self.changed += now.ids != then.ids
        self.overlap += len({*now.ids} & {*then.ids}) / len(every) if every else 1.0
        self.wanted += bool(used)
        self.hits_now += not used.isdisjoint(now.ids)
        self.hits_then += not used.isdisjoint(then.ids)
        self.told_now += sum(one in verdicts for one in now.ids)
        self.told_then += sum(one in verdicts for one in then.ids)
        self.good_now += sum(one in used for one in now.ids)
        self.good_then += sum(one in used for one in then.ids)
        self.seconds_now += now.seconds
        self.seconds_then += then.seconds


@dataclass(frozen=True, slots=True)
class Answer:
    """The returned memories, best first, and how long it took."""

    ids: list[UUID] = field(default_factory=list)
    seconds: float = 0.0


def advance(job: Job, until: float) -> bool:
    """Ask on until a moment of `time.monotonic()`; return whether all were asked."""
    tried = _tried(job)
    while jobs.beat(job, now=timezone.now()):
        sample = _left(job).select_related("owner").first()
        if sample is None or job.done >= MOST:
            return True
        _ask(job, sample, tried)
        if time.monotonic() >= until:
            return False
    return False


def samples(namespace: int | None) -> QuerySet[RecallSample]:
    """Return the kept queries of a namespace or of all, the latest first."""
    rows = RecallSample.objects.order_by("-id")
    return rows if namespace is None else rows.filter(namespace=namespace)


def _left(job: Job) -> QuerySet[RecallSample]:
    rows = samples(job.params["namespace"])
    after = job.cursor.get("after")
    return rows if after is None else rows.filter(pk__lt=after)


def _tried(job: Job) -> Tried:
    own = CategoryOverride.objects.filter(category__name=job.params["category"])
    return Tried(
        category=job.params["category"],
        settings=Settings(**job.params["settings"]),
        namespace=job.params["namespace"],
        own=frozenset(own.values_list("namespace_id", flat=True)),
    )


def _ask(job: Job, sample: RecallSample, tried: Tried) -> None:
    now, then = _answer(sample, None), _answer(sample, tried)
    sums = Sums(**job.counts)
    sums.add(now, then, _verdicts(sample))
    job.done += 1
    job.counts = asdict(sums)
    job.cursor = {"after": sample.pk}
    if now.ids != then.ids and len(job.cases) < MOST_CASES:
        job.cases = [*job.cases, _case(sample, now.ids, then.ids)]
    job.save(update_fields=["done", "counts", "cursor", "cases"])


def _answer(sample: RecallSample, tried: Tried | None) -> Answer:
    start = time.perf_counter()
    query = query_of(sample, tried=tried)
    result = engine.search(SYSTEM, scope_of(sample), query)
    ids = [hit.memory.memory_id for hit in result.hits]
    return Answer(ids, time.perf_counter() - start)


def _verdicts(sample: RecallSample) -> dict[UUID, bool]:
    rows = Feedback.objects.filter(
        recall_id=sample.recall_id, owner_id=sample.owner_id
    ).order_by("at")
    return {one.memory_id: one.verdict in GOOD for one in rows}


def _case(
    sample: RecallSample, now: Sequence[UUID], then: Sequence[UUID]
) -> dict[str, Any]:
    return {
        "recall_id": str(sample.recall_id),
        "lost": [str(one) for one in now if one not in then],
        "gained": [str(one) for one in then if one not in now],
    }
