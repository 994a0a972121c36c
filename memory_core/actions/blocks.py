"""Blocks of whoever writes, be it a source, an agent or a token."""

from dataclasses import dataclass
from datetime import datetime

from memory_core.actions import sources, writer_blocks
from memory_core.contracts.callers import Actor
from memory_core.models import Agent, Source, Token

Writer = Source | Agent | Token


@dataclass(frozen=True, slots=True)
class Standing:
    """A block in force: who placed it, when, why and until when."""

    by: str
    at: datetime
    reason: str
    until: datetime | None
    refused_writes: int


def place(
    writer: Writer, *, by: Actor, reason: str, until: datetime | None, now: datetime
) -> None:
    """Let nothing of the writer commit from now on; raises what the two verbs raise."""
    if isinstance(writer, Source):
        sources.block(source=writer, by=by, reason=reason, until=until, now=now)
    else:
        writer_blocks.block(writer=writer, by=by, reason=reason, until=until, now=now)


def lift(writer: Writer, *, by: Actor, now: datetime) -> None:
    """Let the writer write again; what it wrote before stays as it is."""
    if isinstance(writer, Source):
        sources.unblock(source=writer, by=by, reason="lifted")
    else:
        writer_blocks.lift(writer=writer, by=by, now=now)


def standing(writer: Writer, *, now: datetime) -> Standing | None:
    """Return the block of a writer that stands, None if there is none."""
    if isinstance(writer, Source):
        return _of_source(Source.objects.get(pk=writer.pk), now)
    row = writer_blocks.standing(writer, now=now)
    if row is None:
        return None
    return Standing(
        row.blocked_by, row.blocked_at, row.reason, row.until, row.refused_writes
    )


def _of_source(row: Source, now: datetime) -> Standing | None:
    is_over = row.blocked_until is not None and row.blocked_until <= now
    if row.blocked_at is None or is_over:
        return None
    return Standing(
        row.blocked_by,
        row.blocked_at,
        row.block_reason,
        row.blocked_until,
        row.refused_writes,
    )
