"""One conversation's short-term window, and who keeps it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Self
from uuid import UUID

from memory_core.contracts.callers import Caller
from memory_core.contracts.tokens import DELETES, SPEAKS

Role = Literal["system", "user", "assistant", "tool"]
Outcome = Literal["completed", "withdrawn", "complained"]


@dataclass(frozen=True, slots=True)
class Speaker:
    """Through whom a conversation comes: its agent and token, where it writes.

    `scopes` are those that matter later: to say what a user said, and to delete.
    """

    actor: str
    agent_id: int
    token_id: int
    token_prefix: str
    namespace_id: int
    namespace: str
    scopes: tuple[str, ...] = ()

    @classmethod
    def of(cls, by: Caller, *, namespace: str = "") -> Self:
        """Return the caller as a speaker in `namespace`, by default its home."""
        name = namespace or by.home
        return cls(
            actor=by.name,
            agent_id=by.agent_id,
            token_id=by.token_id,
            token_prefix=by.token_prefix,
            namespace_id=by.writable[name],
            namespace=name,
            scopes=tuple(sorted(by.scopes & {SPEAKS, DELETES})),
        )


@dataclass(frozen=True, slots=True)
class Message:
    """One message; `position` counts from 0 over the whole session."""

    role: Role
    content: str
    at: datetime
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A session as it is kept.

    `kept` holds the messages of the window (from the position `window_from`) and those
    that were not handed to the encoder yet (from `encoded_to`). `rounds` counts the
    user's messages, `summary` tells in extracts of what has left the window.
    """

    owner_id: str
    session_id: str
    speaker: Speaker
    started_at: datetime
    updated_at: datetime
    expires_at: datetime
    max_tokens: int
    expire_after_seconds: int
    kept: tuple[Message, ...] = ()
    window_from: int = 0
    encoded_to: int = 0
    length: int = 0
    rounds: int = 0
    state: Mapping[str, Any] = field(default_factory=dict)
    summary: str = ""

    @property
    def window(self) -> tuple[Message, ...]:
        """The messages that the agent is given back."""
        return tuple(one for one in self.kept if one.position >= self.window_from)

    @property
    def waiting(self) -> tuple[Message, ...]:
        """The messages that the encoder has not been given."""
        return tuple(one for one in self.kept if one.position >= self.encoded_to)


@dataclass(frozen=True, slots=True)
class Closed:
    """What closing a session left: the id of its encoding, if there was one."""

    rounds: int
    encoding_id: UUID | None


@dataclass(frozen=True, slots=True)
class EncodingOutcome:
    """What came of an encoding so far: memories made, memories deleted on request."""

    owner_id: str
    is_done: bool
    made: tuple[UUID, ...]
    forgot: tuple[UUID, ...]
