"""A memory that waits for a decision, as a reviewer agent is shown it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from memory_core.contracts.views import MemoryView

REPORTED = "reported_wrong"
"""Why a memory waits that an agent called wrong."""

QueueView = Literal["held", "sample"]
"""What waits, or today's sample of inferences that nobody has looked at."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """The memory, whose it is, and the digest that a decision on it must name."""

    memory: MemoryView
    owner_id: str
    content_digest: str


@dataclass(frozen=True, slots=True)
class WaitingPage:
    """The oldest first; `next_after` continues, None at the end."""

    waiting: Sequence[Waiting]
    next_after: UUID | None
