"""The week's questions with what they are about."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory_core.models import Memory, RecallSample
from moderation.models import QualitySample


@dataclass(frozen=True, slots=True)
class Question:
    """One question: about a memory, or about a query and what it was given."""

    sample: QualitySample
    memory: Memory | None = None
    recall: RecallSample | None = None
    returned: Sequence[Memory] = ()


@dataclass(frozen=True, slots=True)
class Week:
    """What is still asked this week, and how much of it is answered."""

    open: list[Question]
    answered: int
    total: int


def week(*, now: datetime) -> Week:
    """Return this week's questions; what is gone meanwhile is not asked any more."""
    rows = list(
        QualitySample.objects.filter(week=QualitySample.week_of(now)).order_by(
            "kind", "pk"
        )
    )
    waiting = [row for row in rows if row.is_right is None]
    return Week(
        open=[*_of_memories(waiting), *_of_recalls(waiting)],
        answered=len(rows) - len(waiting),
        total=len(rows),
    )


def _of_memories(rows: Sequence[QualitySample]) -> list[Question]:
    asked = [row for row in rows if row.kind == QualitySample.Kind.MEMORY]
    found = _memories([row.subject_id for row in asked])
    return [
        Question(row, memory=found[row.subject_id])
        for row in asked
        if row.subject_id in found
    ]


def _of_recalls(rows: Sequence[QualitySample]) -> list[Question]:
    asked = {
        row.subject_id: row for row in rows if row.kind == QualitySample.Kind.RECALL
    }
    kept = RecallSample.objects.select_related("owner", "namespace").filter(
        recall_id__in=asked
    )
    samples = list(kept.order_by("pk"))
    given = _memories([one for sample in samples for one in sample.returned])
    return [
        Question(
            asked[sample.recall_id],
            recall=sample,
            returned=[given[one] for one in sample.returned if one in given],
        )
        for sample in samples
    ]


def _memories(ids: Sequence[UUID]) -> dict[UUID, Memory]:
    rows = Memory.unscoped.select_related("owner", "source", "category", "namespace")
    return {row.pk: row for row in rows.filter(pk__in=ids)}
