"""What the service tells of a snapshot that an agent ordered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotView:
    """A snapshot; counts and parts are those of its manifest once it is done."""

    snapshot_id: UUID
    state: str
    counts: Mapping[str, int]
    parts: Sequence[Mapping[str, Any]]
    created_at: datetime
    finished_at: datetime | None
