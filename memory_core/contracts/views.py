"""A memory as agents and people are shown it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID


@dataclass(frozen=True, slots=True)
class SourceView:
    """Where a memory came from; `trust` is the source's trust at this moment."""

    kind: str
    name: str
    trust: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryView:
    """One memory in plain values; `score` is its live score in [0, 1]."""

    memory_id: UUID
    content: str
    category: str
    tier: str
    status: str
    score: float
    source: SourceView
    namespace: str
    subject: str
    entities: tuple[str, ...]
    tags: tuple[str, ...]
    metadata: Mapping[str, Any]
    importance: float
    confidence: float
    observed_at: datetime
    occurred_at: datetime | None
    expire_at: datetime | None
    created_at: datetime
    updated_at: datetime
    last_accessed_at: datetime | None
    access_count: int
    session_id: str
    position: int | None
    external_id: str
    version: int
    embedding: str
    until: datetime | None = None
    superseded_by: UUID | None = None
    merged_into: UUID | None = None
    derived_from: tuple[UUID, ...] = ()
    related: tuple[UUID, ...] = ()
    reviewed_at: datetime | None = None
    decision: Mapping[str, Any] = field(default_factory=dict)
    verdict: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class VersionView:
    """What a memory said before: the event that replaced or reworded it, and when."""

    version: int
    event: str
    content: str
    values: Mapping[str, Any]
    changed_by: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class History:
    """A memory with its earlier versions, its predecessors and what was merged into it.

    `versions` come newest first, the memories oldest first.
    """

    memory: MemoryView
    versions: tuple[VersionView, ...]
    supersedes: tuple[MemoryView, ...]
    merged: tuple[MemoryView, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a list; `next_after` continues it, None at the end."""

    memories: tuple[MemoryView, ...]
    next_after: UUID | None


@dataclass(frozen=True, slots=True)
class OwnerSummary:
    """How many active memories an owner has, and from when to when."""

    owner_id: str
    memories: int
    created_at: datetime
    updated_at: datetime
