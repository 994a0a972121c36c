"""What a context block is asked for and what it holds."""

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from memory_core.contracts.recall import Purpose, WithheldCounts
from memory_core.contracts.views import MemoryView

Moment = Literal["session_start", "turn", "tool_call"]
Section = Literal["wishes", "information", "summary", "conflicts"]
How = Literal["whole", "cut", "left_out"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextQuery:
    """For whom, for which moment, about what (`query`: the user's message, or what a
    tool is about to be called for), and how many tokens there are at most."""

    owner_id: str
    moment: Moment
    query: str = ""
    session_id: str = ""
    budget: int = 1024
    most_memories: int = 6
    namespaces: tuple[str, ...] | None = None
    purpose: Purpose = "answer"


@dataclass(frozen=True, slots=True)
class Conflict:
    """What the conversation says now against what is remembered.

    `now` is a quotation if `is_quoted`, else an observation in our words.
    """

    now: str
    memory: MemoryView
    is_quoted: bool = True


@dataclass(frozen=True, slots=True)
class Placed:
    """Where something stands in the block, as [start, end) in characters.

    `rank` counts from 1; `memory_id` is None for what is no memory. What was left out
    has no place (0, 0).
    """

    section: Section
    how: How
    tokens: int
    start: int = 0
    end: int = 0
    rank: int = 0
    memory_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """The text for the prompt, at most so many tokens, and what stands where in it."""

    text: str
    tokens: int
    placed: tuple[Placed, ...]


@dataclass(frozen=True, slots=True)
class Context:
    """A block with the recalls that it came from."""

    block: Block
    memories: tuple[MemoryView, ...]
    conflicts: tuple[Conflict, ...]
    recall_ids: tuple[UUID, ...]
    withheld: WithheldCounts
    hints: tuple[str, ...]
    budget: int
