"""What goes into an encoder and what comes out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from memory_core.contracts.sessions import Message


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A stretch of conversation to be encoded.

    `summary` tells what was before it, `related` are the owner's most related
    memories, so that nothing is told twice. `now` is when the last message was said.
    """

    messages: tuple[Message, ...]
    summary: str
    related: tuple[str, ...]
    now: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One statement that may become a memory; shares are in [0, 1].

    `source_kind` is `user_input` only for the user's own words, unchanged.
    """

    content: str
    category: str
    source_kind: str = "inference"
    importance: float | None = None
    confidence: float | None = None
    expire_at: datetime | None = None
    position: int | None = None


@dataclass(frozen=True, slots=True)
class Forgetting:
    """What the user asks to be forgotten, in their words, and in which message."""

    query: str
    position: int


@dataclass(frozen=True, slots=True)
class Encoded:
    """What an encoder made: candidates, what the user asks to forget, and how many
    candidates it dropped, by reason."""

    candidates: tuple[Candidate, ...] = ()
    forget: tuple[Forgetting, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)


class Encoder(Protocol):
    """Turns messages into candidates; `name` is kept with what came of them."""

    @property
    def name(self) -> str: ...

    def encode(self, excerpt: Excerpt) -> Encoded:
        """Return what the excerpt says; raises LanguageModelUnavailable."""
        ...
