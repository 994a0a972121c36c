"""What every back end can do, and the small records it answers with."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import TracebackType
from typing import Any, Protocol

from mneme.items import MemoryItem


@dataclass(frozen=True)
class Filter:
    """Conditions of a search; all that are given must hold.

    `tags`: every one of them is there. `metadata`: the memory's metadata contains it.
    """

    types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    source_kind: str | None = None
    tier: str | None = None
    occurred_after: datetime | None = None
    occurred_before: datetime | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Saved:
    """What became of a save.

    `event`: `added`, `updated`, `reinforced`, `unchanged`, or where the service is
    down `spooled` (kept on disk, sent later) or `lost`; `memory_id` is None for the
    last two. `status` is `pending` for a memory that is held for review.
    """

    memory_id: str | None
    event: str
    status: str = "active"
    superseded: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class Found:
    """One memory that a search returned. `score` in [0, 1] gives the order."""

    item: MemoryItem
    score: float
    trust: str = "normal"
    recall_id: str | None = None


@dataclass(frozen=True)
class BadLine:
    """A line that was not imported: its number from 1, a stable code, a sentence."""

    line: int
    code: str
    message: str
    field: str = ""


@dataclass(frozen=True)
class ImportReport:
    """Counts of an import; every memory is in exactly one of the first four."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    refused: int = 0
    held: int = 0
    bad_lines: tuple[BadLine, ...] = ()

    def __add__(self, other: ImportReport) -> ImportReport:
        return ImportReport(
            added=self.added + other.added,
            updated=self.updated + other.updated,
            unchanged=self.unchanged + other.unchanged,
            refused=self.refused + other.refused,
            held=self.held + other.held,
            bad_lines=self.bad_lines + other.bad_lines,
        )


class MemoryStore(Protocol):
    """A place that keeps memories, used from ordinary code."""

    def save(self, item: MemoryItem, *, key: str | None = None) -> Saved:
        """Keep a memory.

        The same `external_id` of an owner updates, the same text reinforces. Fields
        that only a store may set (ids, scores, counts, status) are ignored. `key` makes
        a repeated call count once (24 hours in the service).
        """

    def update(self, item: MemoryItem, *, key: str | None = None) -> Saved:
        """Change the memory `item.memory_id`; raises `NotFound` if there is none."""

    def load(
        self,
        memory_id: str | None = None,
        *,
        owner_id: str,
        external_id: str | None = None,
    ) -> MemoryItem | None:
        """Return one memory or None.

        By its id in whatever status; by its external id the active one, else one that
        has faded into the archive.
        """

    def search(
        self,
        query: str,
        *,
        owner_id: str,
        limit: int = 10,
        filter: Filter | None = None,
        namespaces: Sequence[str] | None = None,
        session_id: str | None = None,
    ) -> list[Found]:
        """Return the owner's active memories that answer the query, best first."""

    def items(
        self, *, owner_id: str, filter: Filter | None = None, status: str = "active"
    ) -> Iterator[MemoryItem]:
        """Yield the owner's memories of one status, in no promised order."""

    def forget(
        self,
        memory_id: str,
        *,
        owner_id: str,
        reason: str = "",
        key: str | None = None,
    ) -> bool:
        """Delete a memory for good; False if there was none."""

    def export(self, *, owner_id: str | None = None) -> Iterator[MemoryItem]:
        """Yield everything there is, of one owner or of all, in every status."""

    def import_batch(
        self, items: Iterable[MemoryItem], *, dry_run: bool = False
    ) -> ImportReport:
        """Bring in memories as they are; the same ones twice change nothing."""

    def close(self) -> None:
        """Release files and connections."""

    def __enter__(self) -> MemoryStore: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


class AsyncMemoryStore(Protocol):
    """The same verbs for asynchronous code."""

    async def save(self, item: MemoryItem, *, key: str | None = None) -> Saved: ...

    async def update(self, item: MemoryItem, *, key: str | None = None) -> Saved: ...

    async def load(
        self,
        memory_id: str | None = None,
        *,
        owner_id: str,
        external_id: str | None = None,
    ) -> MemoryItem | None: ...

    async def search(
        self,
        query: str,
        *,
        owner_id: str,
        limit: int = 10,
        filter: Filter | None = None,
        namespaces: Sequence[str] | None = None,
        session_id: str | None = None,
    ) -> list[Found]: ...

    def items(
        self, *, owner_id: str, filter: Filter | None = None, status: str = "active"
    ) -> AsyncIterator[MemoryItem]: ...

    async def forget(
        self,
        memory_id: str,
        *,
        owner_id: str,
        reason: str = "",
        key: str | None = None,
    ) -> bool: ...

    def export(self, *, owner_id: str | None = None) -> AsyncIterator[MemoryItem]: ...

    async def import_batch(
        self, items: Iterable[MemoryItem], *, dry_run: bool = False
    ) -> ImportReport: ...

    async def close(self) -> None: ...

    async def __aenter__(self) -> AsyncMemoryStore: ...

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...
