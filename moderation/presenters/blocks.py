"""A block as it stands, and what became of what a blocked writer wrote."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memory_core.actions import writer_blocks
from memory_core.models import Agent, Job, Memory, Source, Token
from moderation.models import BatchItem
from moderation.presenters.names import STATUSES, named

SHOWN = 200
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


@dataclass(frozen=True, slots=True)
class Moved:
    """One memory of a withdrawal, None if it is gone, and what it was before."""

    memory: Memory | None
    outcome: str | Promise


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A job that moves what was written: counts, and the first of its memories."""

    job: Job
    name: str | Promise
    counts: list[tuple[str | Promise, int]]
    memories: list[Moved]


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


def withdrawal(job: Job) -> Withdrawal:
    """Return what became of a withdrawal so far, what was left alone first."""
    items = BatchItem.objects.filter(job=job)
    left = list(items.filter(outcome=LEFT).order_by("pk")[:SHOWN])
    rest = items.exclude(outcome=LEFT).order_by("pk")[: SHOWN - len(left)]
    shown = [*left, *rest]
    memories = Memory.unscoped.in_bulk([one.memory_id for one in shown])
    return Withdrawal(
        job=job,
        name=named(job.params["verb"], "withdrawal"),
        counts=[(COUNTS[code], n) for code, n in sorted(job.counts.items())],
        memories=[Moved(memories.get(i.memory_id), _outcome(i.outcome)) for i in shown],
    )


def _outcome(code: str) -> str | Promise:
    """Return what people call the outcome of one memory: mostly what it was."""
    if code == LEFT:
        return _("left alone")
    return STATUSES[code] if code else _("waits")
