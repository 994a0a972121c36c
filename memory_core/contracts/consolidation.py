"""What a consolidation run tells of itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """One run: counts by kind of change, and for each change why (ids, no text).

    `seen` is how many memories it has looked at, over all of its stages.
    """

    run_id: UUID
    state: str
    dry_run: bool
    seen: int
    counts: Mapping[str, int]
    cases: Sequence[Mapping[str, Any]]
    created_at: datetime
    finished_at: datetime | None
