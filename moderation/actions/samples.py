"""Questions of the week to people: is this memory right, does this recall lack some?"""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from uuid import UUID

from django.db import transaction

from memory_core import auditing, isolation
from memory_core.contracts.callers import Actor
from memory_core.exceptions import TransitionRefused
from memory_core.models import Memory, RecallSample
from moderation.models import QualitySample

A_WEEK = 20
"""Memories, and as many recalls, that people are asked about."""


def draw(*, now: datetime) -> int:
    """Draw this week's questions, once; return how many there are now.

    Asked are memories that nobody held or reviewed, stored in the last seven days,
    and kept queries of these days, each drawn by chance.
    """
    week, since = QualitySample.week_of(now), now - timedelta(days=7)
    if QualitySample.objects.filter(week=week).exists():
        return 0
    memories = Memory.unscoped.active().filter(created_at__gte=since, reviewed_at=None)
    by_chance = memories.order_by("?").values_list("pk", flat=True)[:A_WEEK]
    recalls = RecallSample.objects.filter(at__gte=since).order_by("?")
    asked = recalls.values_list("recall_id", flat=True)[:A_WEEK]
    drawn = [
        *_rows(QualitySample.Kind.MEMORY, list(by_chance), week),
        *_rows(QualitySample.Kind.RECALL, list(asked), week),
    ]
    with transaction.atomic():
        QualitySample.objects.bulk_create(drawn, ignore_conflicts=True)
    return len(drawn)


def answer(
    *, sample: QualitySample, is_right: bool, by: Actor, now: datetime
) -> QualitySample:
    """Return the question with its answer; TransitionRefused if it has one."""
    with isolation.transaction_for(by):
        row = QualitySample.objects.select_for_update().get(pk=sample.pk)
        if row.is_right is not None:
            raise TransitionRefused(
                "It is answered.", why="decided", decided_by=row.decided_by
            )
        row.is_right, row.decided_by, row.decided_at = is_right, by.name, now
        row.save(update_fields=["is_right", "decided_by", "decided_at"])
        auditing.record(
            "sample.answer",
            by=by,
            memory_id=row.subject_id if row.kind == QualitySample.Kind.MEMORY else None,
            kind=row.kind,
            right=is_right,
        )
    return row


def _rows(
    kind: QualitySample.Kind,
    found: Sequence[UUID],
    week: date,
) -> list[QualitySample]:
    return [QualitySample(kind=kind, week=week, subject_id=pk) for pk in found]
