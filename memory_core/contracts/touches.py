"""What is noted of a recall after it was answered."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Served:
    """One returned memory; `rank` counts from 1, `score` is the live score."""

    memory_id: UUID
    namespace_id: int
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Kinship:
    """Candidates that may be kin of what was returned.

    They are kin of a returned memory if their vectors in the space `model_id` have at
    least this `cosine`.
    """

    near: tuple[UUID, ...]
    model_id: int
    cosine: float


@dataclass(frozen=True, slots=True)
class Sample:
    """A kept query; the only part of a note that holds text."""

    namespace_id: int
    query: str
    filters: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One recall, ready to wait in the queue; `at` is in seconds since 1970.

    `session` is a digest, empty without one. `touches` says whether scores may move,
    `kinship` is there when a user's own words recalled. An empty `recall_id` notes
    only that a token was used.
    """

    at: float
    actor: str
    token_id: int
    recall_id: UUID | None = None
    token_prefix: str = ""
    request_id: str = ""
    agent_id: int = 0
    owner: int = 0
    owner_digest: str = ""
    namespace: str = ""
    session: str = ""
    touches: bool = False
    served: tuple[Served, ...] = ()
    withheld: dict[str, int] = field(default_factory=dict)
    kinship: Kinship | None = None
    sample: Sample | None = None


def moment(seconds: float) -> datetime:
    """Return the time of a note, in UTC."""
    return datetime.fromtimestamp(seconds, UTC)
