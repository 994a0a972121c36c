"""The memories of a file, held for look-up by id, by text and by owner."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from mneme.deciding import identity, save_key
from mneme.items import MemoryItem
from mneme.words import terms


class Index:
    """Look-ups over memories in the order in which they came."""

    def __init__(self) -> None:
        self.by_id: dict[str, MemoryItem] = {}
        self._owners: dict[str, dict[str, None]] = defaultdict(dict)
        self._external: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
        self._texts: dict[tuple[str, ...], dict[str, None]] = defaultdict(dict)
        self._identities: dict[tuple[str, ...], str] = {}
        self._documents: dict[str, Counter[str]] = {}

    def __len__(self) -> int:
        return len(self.by_id)

    def put(self, item: MemoryItem) -> None:
        """Add the memory, or replace the one with its id."""
        memory_id = item.memory_id or ""
        old = self.by_id.get(memory_id)
        if old is not None:
            self._unlink(old)
        self.by_id[memory_id] = item
        self._owners[item.owner_id][memory_id] = None
        self._external[item.owner_id, item.external_id][memory_id] = None
        self._texts[save_key(item)][memory_id] = None
        self._identities[identity(item)] = memory_id

    def drop(self, item: MemoryItem) -> None:
        """Remove the memory."""
        self._unlink(item)
        del self.by_id[item.memory_id or ""]

    def of_owner(self, owner_id: str | None) -> list[MemoryItem]:
        """Return the owner's memories, or all of them."""
        if owner_id is None:
            return list(self.by_id.values())
        return [self.by_id[memory_id] for memory_id in self._owners.get(owner_id, ())]

    def by_external_id(
        self, owner_id: str, namespace: str | None, external_id: str
    ) -> MemoryItem | None:
        """Return the active memory with this external id."""
        ids = self._external.get((owner_id, external_id), ())
        return self._active(ids, namespace) if external_id else None

    def by_text(self, key: tuple[str, ...]) -> MemoryItem | None:
        """Return an active memory that says the same."""
        return self._active(self._texts.get(key, ()), None)

    def by_identity(self, key: tuple[str, ...]) -> MemoryItem | None:
        """Return the memory that an import would call the same."""
        memory_id = self._identities.get(key)
        return self.by_id.get(memory_id) if memory_id else None

    def document(self, item: MemoryItem) -> Counter[str]:
        """Return how often each term stands in the memory."""
        memory_id = item.memory_id or ""
        if memory_id not in self._documents:
            self._documents[memory_id] = Counter(terms(item.content))
        return self._documents[memory_id]

    def _active(self, ids: Iterable[str], namespace: str | None) -> MemoryItem | None:
        for memory_id in ids:
            item = self.by_id[memory_id]
            if item.status == "active" and namespace in (None, item.namespace):
                return item
        return None

    def _unlink(self, old: MemoryItem) -> None:
        memory_id = old.memory_id or ""
        for table, key in (
            (self._owners, old.owner_id),
            (self._external, (old.owner_id, old.external_id)),
            (self._texts, save_key(old)),
        ):
            table[key].pop(memory_id, None)  # type: ignore[index]
        self._identities.pop(identity(old), None)
        self._documents.pop(memory_id, None)
