"""What a recall is asked and what it answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from memory_core.contracts.categories import Tried
from memory_core.contracts.touches import Kinship
from memory_core.contracts.views import MemoryView

Purpose = Literal["answer", "sensitive_action"]
Rerank = Literal["none", "llm"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrowing:
    """Which memories may be found at all; empty fields do not narrow.

    Within one field any value suffices, but a memory has to carry every tag and every
    entry of `metadata`. Times bound `occurred_at` and include their ends. `among` are
    memories by id.
    """

    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    source_kinds: tuple[str, ...] = ()
    tiers: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    occurred_after: datetime | None = None
    occurred_before: datetime | None = None
    sessions: tuple[str, ...] = ()
    among: tuple[UUID, ...] = ()

    def __bool__(self) -> bool:
        return self != NOTHING_NARROWED


NOTHING_NARROWED = Narrowing()


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallQuery:
    """One question about one owner's memories, validated in form.

    `namespaces` None means all that the caller may read. `min_score` is compared to
    the live score, beside the `archive_below` of each memory's category.
    `token_budget` counts upper bounds (see `lexical.tokens`). `as_of` is the moment
    taken for now; with it nothing is touched. `tried` is for back-tests only.
    """

    owner_id: str
    query: str
    top_k: int = 10
    narrowing: Narrowing = NOTHING_NARROWED
    namespaces: tuple[str, ...] | None = None
    min_score: float | None = None
    token_budget: int | None = None
    as_of: datetime | None = None
    session_id: str = ""
    purpose: Purpose = "answer"
    explain: bool = False
    touch: bool = True
    include_archived: bool = False
    rerank: Rerank = "none"
    tried: Tried | None = None


@dataclass(frozen=True, slots=True)
class RecallHit:
    """One found memory.

    `similarity` is how relevant it is by itself, in [0, 1] and with the same meaning
    for every embedding model; `rank_score` what the order comes from, in [0, 1].
    `explain` holds the parts of both, empty unless asked for.
    """

    memory: MemoryView
    similarity: float
    rank_score: float
    explain: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WithheldCounts:
    """How many better placed memories an answer leaves out, by reason.

    `ids` lists them by reason, for callers who may review.
    """

    screening: int = 0
    faded: int = 0
    budget: int = 0
    untrusted_for_purpose: int = 0
    ids: Mapping[str, tuple[UUID, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RecallResult:
    """The answer, best first; `hints` are codes.

    `kinship` are the best candidates that were not returned, for what is done
    afterwards; None without a vector space.
    """

    recall_id: UUID
    hits: tuple[RecallHit, ...]
    withheld: WithheldCounts = WithheldCounts()
    hints: tuple[str, ...] = ()
    kinship: Kinship | None = None
