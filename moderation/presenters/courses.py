"""How a job over single memories goes: what became of each, the odd ones first."""

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import Q

from memory_core.models import Job, Memory
from moderation.models import BatchItem
from moderation.presenters.operation_names import Text

SHOWN = 200


@dataclass(frozen=True, slots=True)
class Result:
    """One memory, None if it is gone, what became of it, and who was first if so."""

    memory: Memory | None
    outcome: Text
    who: str


@dataclass(frozen=True, slots=True)
class Course:
    """A job so far: its name, counts by outcome, and the first of its memories."""

    job: Job
    name: Text
    counts: list[tuple[Text, int]]
    results: list[Result]

    @property
    def back(self) -> str:
        """The filters from which a bulk decision came, as a part of an address."""
        return urlencode(self.job.params.get("chosen", {}))


def course_of(
    job: Job,
    name: Text,
    *,
    odd: Q,
    outcome: Callable[[str], Text],
    count: Callable[[str], Text],
) -> Course:
    """Return how the job goes; `odd` are the items that are listed first."""
    items = BatchItem.objects.filter(job=job).order_by("pk")
    first = list(items.filter(odd)[:SHOWN])
    shown = [*first, *items.exclude(odd)[: SHOWN - len(first)]]
    memories = Memory.unscoped.in_bulk([one.memory_id for one in shown])
    return Course(
        job=job,
        name=name,
        counts=[(count(code), number) for code, number in sorted(job.counts.items())],
        results=[
            Result(memories.get(one.memory_id), outcome(one.outcome), one.who)
            for one in shown
        ],
    )
