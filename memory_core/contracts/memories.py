"""What crosses rooms when a memory is written."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Self
from uuid import UUID

from memory_core.contracts.views import MemoryView

ForgettingHint = Literal["", "nothing_fits", "everything", "too_many"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What a file says of a memory's strength; scores in [0, 1], times aware.

    A draft with it merges with nothing but the same statement of the same time, since
    consolidation looks at a loaded history as a whole.
    """

    base_score: float | None = None
    last_accessed_at: datetime | None = None
    access_count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """One memory as the caller sent it, validated in form, not yet judged.

    `source_kind` is what the caller claims; the pipeline lowers it to what the token
    allows. Times are aware. None means "not sent".
    """

    owner_id: str
    content: str
    namespace: str
    category: str = "fact"
    source_kind: str = "inference"
    source_name: str = ""
    subject: str = ""
    entities: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    importance: float | None = None
    confidence: float | None = None
    tier: str = "long"
    observed_at: datetime | None = None
    occurred_at: datetime | None = None
    expire_at: datetime | None = None
    external_id: str = ""
    session_id: str = ""
    position: int | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    related: tuple[UUID, ...] = ()
    derived_from: tuple[UUID, ...] = ()
    imported: Imported | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """What became of a draft.

    `event` is added, reinforced, updated or unchanged; `superseded` are the memories
    that it replaced, `superseded_by` the newer one that had replaced it already.
    `score` is the live score in [0, 1]; `embedding` is ready or queued; `reasons` are
    the codes for which a pending memory waits, `redacted` the kinds of secrets that
    were replaced before it was stored.
    """

    memory_id: UUID
    event: str
    status: str
    version: int
    score: float
    embedding: str
    superseded: tuple[UUID, ...] = ()
    superseded_by: UUID | None = None
    reasons: tuple[str, ...] = ()
    redacted: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values for JSON."""
        return {
            "memory_id": str(self.memory_id),
            "event": self.event,
            "status": self.status,
            "version": self.version,
            "score": self.score,
            "embedding": self.embedding,
            "superseded": [str(one) for one in self.superseded],
            "superseded_by": str(self.superseded_by) if self.superseded_by else None,
            "reasons": list(self.reasons),
            "redacted": list(self.redacted),
        }

    @classmethod
    def from_dict(cls, kept: Mapping[str, Any]) -> Self:
        """Return what `to_dict` was made from."""
        successor = kept["superseded_by"]
        return cls(
            memory_id=UUID(kept["memory_id"]),
            event=kept["event"],
            status=kept["status"],
            version=kept["version"],
            score=kept["score"],
            embedding=kept["embedding"],
            superseded=tuple(UUID(one) for one in kept["superseded"]),
            superseded_by=UUID(successor) if successor else None,
            reasons=tuple(kept["reasons"]),
            redacted=tuple(kept.get("redacted", ())),
        )


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What a request to forget deleted, or would delete: `memories` in a dry run.

    `hint` says why there is nothing: `nothing_fits` what it names, it means
    `everything` about the owner, or `too_many` to go without a look at them.
    """

    memory_ids: tuple[UUID, ...]
    memories: tuple[MemoryView, ...] = ()
    hint: ForgettingHint = ""
