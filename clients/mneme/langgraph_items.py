"""LangGraph items as memories, for the store adapter and for moving in. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from mneme.checks import MAX_CONTENT
from mneme.items import MemoryItem, Source
from mneme.keeper import once_key

MARK = "langgraph"  # of our entry in the metadata, and in front of our tags
_LONGEST_TAG = 60  # characters of a path that a tag shows; longer ones are hashed


def memory_of(
    owner_id: str,
    namespace: Sequence[str],
    key: str,
    value: Mapping[str, Any],
    *,
    text: str,
    source: Source,
    category: str,
    ttl: float | None = None,
    expire_at: datetime | None = None,
) -> MemoryItem:
    """Return the memory of one item; with `text` "" it is kept but not searched."""
    entry = {"namespace": list(namespace), "key": key, "value": dict(value)}
    return MemoryItem(
        owner_id=owner_id,
        content=text[:MAX_CONTENT] or "/".join((*namespace, key)),
        type=category,
        source=source,
        external_id=external_id(namespace, key),
        tags=tuple(tag(namespace[:length]) for length in range(len(namespace) + 1)),
        expire_at=expire_at,
        metadata={MARK: {**entry, "ttl": ttl, "indexed": bool(text)}},
    )


def external_id(namespace: Sequence[str], key: str) -> str:
    """Return the external id that stands for a namespace and a key."""
    return f"{MARK}:{once_key(json.dumps([list(namespace), key]))[:40]}"


def tag(prefix: Sequence[str]) -> str:
    """Return the tag of a prefix: a prefix search is a look-up by tag."""
    path = ".".join(prefix)  # a label has no dot
    short = path if len(path) <= _LONGEST_TAG else once_key(path)[:40]
    return f"{MARK}:{short}" if path else MARK


def leaves(value: Any) -> list[str]:
    """Return all texts and numbers of a value, in order."""
    if isinstance(value, Mapping):
        return [leaf for part in value.values() for leaf in leaves(part)]
    if isinstance(value, list):
        return [leaf for part in value for leaf in leaves(part)]
    return [] if value is None or value == "" else [str(value)]
