"""What the two local back ends share: the verbs, over a few primitives of theirs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType

from mneme.deciding import (
    Decision,
    decide_import,
    decide_save,
    decide_update,
    identity,
    is_live,
    matches,
    save_key,
)
from mneme.errors import NotFound
from mneme.items import MemoryItem
from mneme.protocol import Filter, Found, ImportReport, Saved
from mneme.times import utc_now
from mneme.words import relevance, terms

IMPORT_CHUNK = 1_000  # memories an import writes under one lock


@dataclass(frozen=True)
class Candidates:
    """The owner's memories that hold a term of the query, with the owner's totals."""

    items: Sequence[MemoryItem]
    documents: Sequence[Counter[str]]
    total: int
    mean_length: float


class LocalStore(ABC):
    """A store on this machine: no embedder, no decay, no screening, no review.

    `clock` returns the current time; tests give their own.
    """

    def __init__(self, *, clock: Callable[[], datetime] = utc_now) -> None:
        self._clock = clock

    # The primitives of a back end.

    @abstractmethod
    def _reading(self) -> AbstractContextManager[None]:
        """Make the state current and keep it still while something is read."""

    @abstractmethod
    def _writing(self) -> AbstractContextManager[None]:
        """Make the state current and keep other writers out; durable on leaving."""

    @abstractmethod
    def _by_id(self, memory_id: str) -> MemoryItem | None: ...

    @abstractmethod
    def _by_external_id(
        self, owner_id: str, namespace: str | None, external_id: str
    ) -> MemoryItem | None:
        """Return the active memory with this external id, in any namespace if None."""

    @abstractmethod
    def _by_text(self, key: tuple[str, ...]) -> MemoryItem | None:
        """Return an active memory with this `save_key`."""

    @abstractmethod
    def _by_identity(self, key: tuple[str, ...]) -> MemoryItem | None: ...

    @abstractmethod
    def _put(self, item: MemoryItem) -> None: ...

    @abstractmethod
    def _drop(self, item: MemoryItem) -> None:
        """Remove the memory so that nothing of its text stays in the files."""

    @abstractmethod
    def _of_owner(self, owner_id: str | None) -> list[MemoryItem]: ...

    @abstractmethod
    def _candidates(self, owner_id: str, wanted: Sequence[str]) -> Candidates: ...

    @abstractmethod
    def close(self) -> None: ...

    # The verbs.

    def save(self, item: MemoryItem, *, key: str | None = None) -> Saved:
        with self._writing():
            same_id = None
            if item.external_id:
                same_id = self._by_external_id(
                    item.owner_id, item.namespace, item.external_id
                )
            decision = decide_save(
                item,
                same_id=same_id,
                same_text=self._by_text(save_key(item)),
                now=self._clock(),
            )
            return self._carry_out(decision)

    def update(self, item: MemoryItem, *, key: str | None = None) -> Saved:
        with self._writing():
            old = self._owned(item.memory_id, item.owner_id)
            if old is None:
                raise NotFound(f"there is no memory {item.memory_id}")
            return self._carry_out(decide_update(old, item, now=self._clock()))

    def load(
        self,
        memory_id: str | None = None,
        *,
        owner_id: str,
        external_id: str | None = None,
    ) -> MemoryItem | None:
        with self._reading():
            if memory_id is not None:
                return self._owned(memory_id, owner_id)
            if external_id is None:
                raise ValueError("load needs a memory_id or an external_id")
            return self._by_external_id(owner_id, None, external_id) or self._archived(
                owner_id, external_id
            )

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
        wanted = terms(query)
        with self._reading():
            near = self._candidates(owner_id, wanted)
        scores = relevance(
            wanted, near.documents, total=near.total, mean_length=near.mean_length
        )
        now = self._clock()
        found = [
            Found(item, score)
            for item, score in zip(near.items, scores, strict=True)
            if is_live(item, now)
            and matches(item, filter)
            and (namespaces is None or item.namespace in namespaces)
        ]
        return sorted(found, key=_best_first, reverse=True)[:limit]

    def items(
        self, *, owner_id: str, filter: Filter | None = None, status: str = "active"
    ) -> Iterator[MemoryItem]:
        with self._reading():
            memories = self._of_owner(owner_id)
        now = self._clock()
        return (
            item
            for item in memories
            if item.status == status
            and (status != "active" or is_live(item, now))
            and matches(item, filter)
        )

    def forget(
        self,
        memory_id: str,
        *,
        owner_id: str,
        reason: str = "",
        key: str | None = None,
    ) -> bool:
        with self._writing():
            item = self._owned(memory_id, owner_id)
            if item is not None:
                self._drop(item)
            return item is not None

    def export(self, *, owner_id: str | None = None) -> Iterator[MemoryItem]:
        with self._reading():
            memories = self._of_owner(owner_id)
        return iter(memories)

    def import_batch(
        self, items: Iterable[MemoryItem], *, dry_run: bool = False
    ) -> ImportReport:
        report = ImportReport()
        chunk: list[MemoryItem] = []
        for item in items:
            chunk.append(item)
            if len(chunk) == IMPORT_CHUNK:
                report += self._import_chunk(chunk, dry_run)
                chunk = []
        return report + self._import_chunk(chunk, dry_run)

    def __enter__(self) -> LocalStore:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _import_chunk(self, chunk: Sequence[MemoryItem], dry_run: bool) -> ImportReport:
        counts: Counter[str] = Counter()
        seen: set[tuple[str, ...]] = set()  # a dry run writes none of the chunk
        with self._reading() if dry_run else self._writing():
            for item in chunk:
                event = self._import_one(item, dry_run, repeated=identity(item) in seen)
                seen.add(identity(item))
                counts[event] += 1
        return ImportReport(
            added=counts["added"],
            updated=counts["updated"],
            unchanged=counts["unchanged"],
        )

    def _import_one(self, item: MemoryItem, dry_run: bool, *, repeated: bool) -> str:
        taken = item.memory_id is not None and self._by_id(item.memory_id) is not None
        decision = decide_import(
            item,
            same=self._by_identity(identity(item)),
            id_taken=taken,
            now=self._clock(),
        )
        if dry_run:
            return "unchanged" if repeated else decision.event
        self._carry_out(decision)
        return decision.event

    def _carry_out(self, decision: Decision) -> Saved:
        if decision.event in ("added", "updated"):
            self._put(decision.item)
        return Saved(
            memory_id=decision.item.memory_id,
            event=decision.event,
            status=decision.item.status,
        )

    def _archived(self, owner_id: str, external_id: str) -> MemoryItem | None:
        for item in self._of_owner(owner_id):
            if item.external_id == external_id and item.status == "archived":
                return item
        return None

    def _owned(self, memory_id: str | None, owner_id: str) -> MemoryItem | None:
        item = self._by_id(memory_id) if memory_id else None
        return item if item is not None and item.owner_id == owner_id else None


def _best_first(found: Found) -> tuple[float, str]:
    moment = found.item.timestamp
    return (found.score, moment.isoformat() if moment else "")
