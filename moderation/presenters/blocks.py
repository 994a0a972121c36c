"""A block as it stands, and what became of what a blocked writer wrote."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memory_core.actions import writer_blocks
from memory_core.models import Agent, Job, Source, Token
from moderation.presenters.courses import Course, course_of
from moderation.presenters.names import STATUSES, named

LEFT = "left_alone"
COUNTS: dict[str, str | Promise] = {
    "done": _("moved"),
    "left": _("left alone: changed meanwhile"),
}


@dataclass(frozen=True, slots=True)
class Standing:
    """A block in force: who placed it, when, why and until when."""

    by: str
    at: datetime
    reason: str
    until: datetime | None
    refused_writes: int


def standing(writer: Source | Agent | Token, *, now: datetime) -> Standing | None:
    """Return the block of a writer that stands, None if there is none."""
    if not isinstance(writer, Source):
        row = writer_blocks.standing(writer, now=now)
        if row is None:
            return None
        return Standing(
            row.blocked_by, row.blocked_at, row.reason, row.until, row.refused_writes
        )
    is_over = writer.blocked_until is not None and writer.blocked_until <= now
    if writer.blocked_at is None or is_over:
        return None
    return Standing(
        writer.blocked_by,
        writer.blocked_at,
        writer.block_reason,
        writer.blocked_until,
        writer.refused_writes,
    )


def withdrawal(job: Job) -> Course:
    """Return how a withdrawal goes, what was left alone first."""
    return course_of(
        job,
        named(job.params["verb"], "withdrawal"),
        odd=Q(outcome=LEFT),
        outcome=_outcome,
        count=COUNTS.__getitem__,
    )


def _outcome(code: str) -> str | Promise:
    """Return what people call the outcome of one memory: mostly what it was."""
    if code == LEFT:
        return _("left alone")
    return STATUSES[code] if code else _("waits")
