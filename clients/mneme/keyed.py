"""Records of another system kept as memories: each apart, each found by its key.

A store may answer the save of an equal text with `reinforced`, and a service lets what
nobody recalls fade into its archive. A record must survive both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mneme.checks import MAX_CONTENT
from mneme.items import MemoryItem
from mneme.protocol import Filter, MemoryStore, Saved

# Never merged or replaced for being similar.
CATEGORY = "event"
KEPT = ("active", "archived")


def save_record(store: MemoryStore, item: MemoryItem, name: str) -> Saved:
    """Save a record under its external id; an equal text is told apart by `name`."""
    saved = store.save(item)
    if saved.event != "reinforced":
        return saved
    known = store.load(owner_id=item.owner_id, external_id=item.external_id)
    if known is not None and known.memory_id == saved.memory_id:
        return saved
    content = f"{item.content} ({name})"[-MAX_CONTENT:]
    return store.save(replace(item, content=content))


def records(
    store: MemoryStore, owner_id: str, wanted: Filter | None = None
) -> Iterator[MemoryItem]:
    """Yield the owner's records, faded ones too."""
    for status in KEPT:
        yield from store.items(owner_id=owner_id, filter=wanted, status=status)
