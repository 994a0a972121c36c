"""Blocks of an agent's or a token's writes, beside those of sources."""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import QuerySet

from memory_core import auditing, isolation, locks
from memory_core.contracts.callers import Actor
from memory_core.exceptions import TransitionRefused
from memory_core.models import Agent, Token, WriterBlock
from memory_core.saving import writers


def block(
    *,
    writer: Agent | Token,
    by: Actor,
    reason: str,
    now: datetime,
    until: datetime | None = None,
) -> WriterBlock:
    """Return the block: no write of the writer commits after this does.

    It may still recall. What a token was rotated into is in the same hands and is
    blocked with it. Raises TransitionRefused while a block stands.
    """
    with isolation.transaction_for(by):
        agent = writer if isinstance(writer, Agent) else writer.agent
        locks.stop_writer(agent.pk)
        if standing(writer, now=now):
            raise TransitionRefused("It is blocked already.", why="blocked_already")
        row = _blocked(writer, by, reason=reason, now=now, until=until)
        for token in _successors(writer):
            if not standing(token, now=now):
                _blocked(token, by, reason=reason, now=now, until=until)
    return row


def lift(*, writer: Agent | Token, by: Actor, now: datetime) -> WriterBlock | None:
    """Return the block that stood, lifted now; None if there was none."""
    with isolation.transaction_for(by):
        row = standing(writer, now=now)
        if row is not None:
            _close(writer, by, now)
            row.refresh_from_db()
            _record("writer.unblock", row, by)
    return row


def standing(writer: Agent | Token, *, now: datetime) -> WriterBlock | None:
    """Return the block of exactly this agent or token that stands."""
    return _of(writer).filter(pk__in=writers.standing(now=now)).first()


def _successors(writer: Agent | Token) -> Iterator[Token]:
    """Yield the tokens that a token was rotated into, one after the other."""
    if isinstance(writer, Agent):
        return
    token = Token.objects.get(pk=writer.pk).successor  # may be newer than `writer`
    while token is not None:
        yield token
        token = token.successor


def _blocked(
    writer: Agent | Token,
    by: Actor,
    *,
    reason: str,
    now: datetime,
    until: datetime | None,
) -> WriterBlock:
    _close(writer, by, now)
    row = WriterBlock.objects.create(
        agent=writer if isinstance(writer, Agent) else None,
        token=None if isinstance(writer, Agent) else writer,
        reason=reason,
        blocked_at=now,
        blocked_by=by.name,
        until=until,
    )
    _record("writer.block", row, by)
    return row


def _close(writer: Agent | Token, by: Actor, now: datetime) -> None:
    """Close what is open, even if its time was over."""
    _of(writer).filter(lifted_at=None).update(lifted_at=now, lifted_by=by.name)


def _of(writer: Agent | Token) -> QuerySet[WriterBlock]:
    if isinstance(writer, Agent):
        return WriterBlock.objects.filter(agent=writer)
    return WriterBlock.objects.filter(token=writer)


def _record(action: str, row: WriterBlock, by: Actor) -> None:
    auditing.record(
        action,
        by=by,
        block=row.pk,
        agent=row.agent.name if row.agent else "",
        token=row.token.prefix if row.token else "",
        reason=row.reason,
    )
