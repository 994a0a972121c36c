"""What taking back somebody's writes does."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Undoing:
    """Memories by what happens to them, each in one group only.

    `rejected` were added, `brought_back` had been replaced or swallowed by those,
    `rolled_back` (with the row id of the version that returns) were changed;
    `left_alone` were changed too, but others changed them since.
    """

    rejected: tuple[UUID, ...] = ()
    brought_back: tuple[UUID, ...] = ()
    rolled_back: Mapping[UUID, int] = field(default_factory=dict)
    left_alone: tuple[UUID, ...] = ()
