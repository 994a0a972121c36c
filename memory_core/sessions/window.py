"""How a window rolls: what stays, what leaves, what waits for the encoder."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import orjson

from memory_core.contracts.sessions import Message, Role, Session
from memory_core.lexical import cut_to, tokens_at_most
from memory_core.sessions.summary import summarised

MARKUP = 4
"""Tokens of the role and the marks around one message."""
ENCODED_EVERY = 10
"""Rounds after which what was said is handed to the encoder."""
MOST_WAITING = 16_000
"""Tokens that may wait for it, however few rounds they are."""
ENCODED_BEFORE_END = timedelta(seconds=120)
"""So long before the end of a session, and at most half of its time."""


def cost(message: Message) -> int:
    """Return how many tokens a message takes at most."""
    return tokens_at_most(message.content) + MARKUP


def tokens(session: Session) -> int:
    """Return how many tokens the window takes at most."""
    return sum(map(cost, session.window))


def extended(
    session: Session, sent: Sequence[tuple[Role, str]], *, now: datetime
) -> Session:
    """Return the session with new messages at its end; its time starts anew.

    The window drops its oldest messages until it fits. A message that is longer than
    the whole window is cut at its end.
    """
    longest = session.max_tokens - MARKUP
    added = tuple(
        Message(role, cut_to(content, longest), now, session.length + number)
        for number, (role, content) in enumerate(sent)
    )
    return _rolled(
        replace(
            session,
            kept=(*session.kept, *added),
            length=session.length + len(added),
            rounds=session.rounds + sum(one.role == "user" for one in added),
            updated_at=now,
            expires_at=now + timedelta(seconds=session.expire_after_seconds),
        )
    )


def with_state(session: Session, state: Mapping[str, Any]) -> Session:
    """Return the session with entries of its state set; null takes one away."""
    merged = {**session.state, **state}
    kept = {name: value for name, value in merged.items() if value is not None}
    return replace(session, state=kept)


def is_due(session: Session) -> bool:
    """Return whether enough was said since the last encoding."""
    waiting = session.waiting
    rounds = sum(message.role == "user" for message in waiting)
    return rounds >= ENCODED_EVERY or sum(map(cost, waiting)) >= MOST_WAITING


def due_at(session: Session) -> datetime:
    """Return when the sweep has to look at the session."""
    if not session.waiting:
        return session.expires_at
    half = timedelta(seconds=session.expire_after_seconds / 2)
    return session.expires_at - min(ENCODED_BEFORE_END, half)


def encoded(session: Session, *, to: int) -> Session:
    """Return the session after its messages before the position `to` were taken."""
    return _trimmed(replace(session, encoded_to=max(session.encoded_to, to)))


def without(
    session: Session, says: Callable[[str], bool], positions: Collection[int]
) -> Session:
    """Return the session without messages, summary and state that say something."""
    kept = tuple(
        one
        for one in session.kept
        if one.position not in positions and not says(one.content)
    )
    summary = [line for line in session.summary.split("\n") if not says(line)]
    state = {
        name: value for name, value in session.state.items() if not says(_text(value))
    }
    return replace(session, kept=kept, summary="\n".join(summary), state=state)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def _rolled(session: Session) -> Session:
    """Drop what does not fit from the window, and tell of it in the summary."""
    left, first = session.max_tokens, session.length
    for message in reversed(session.window):
        left -= cost(message)
        if left < 0:
            break
        first = message.position
    gone = [one for one in session.window if one.position < first]
    if not gone:
        return session
    summary = summarised(session.summary, [m.content for m in gone if m.role == "user"])
    return _trimmed(replace(session, window_from=first, summary=summary))


def _trimmed(session: Session) -> Session:
    needed = min(session.window_from, session.encoded_to)
    kept = tuple(one for one in session.kept if one.position >= needed)
    return replace(session, kept=kept)
