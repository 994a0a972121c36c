"""What a local store does with a memory that arrives. Pure: values in, value out."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from mneme.items import MemoryItem
from mneme.protocol import Filter
from mneme.times import format_time
from mneme.words import text_key

# What a caller may change in a memory; the rest belongs to the store.
EDITABLE = (
    "content",
    "type",
    "source",
    "occurred_at",
    "importance",
    "confidence",
    "subject",
    "entities",
    "tags",
    "session_id",
    "position",
    "expire_at",
    "related",
    "metadata",
)


@dataclass(frozen=True)
class Decision:
    """The event and the memory as it is to be stored (the old one if unchanged)."""

    event: str
    item: MemoryItem


def decide_save(
    item: MemoryItem,
    *,
    same_id: MemoryItem | None,
    same_text: MemoryItem | None,
    now: datetime,
) -> Decision:
    """Decide on a save, given the active memory with its external id or its text."""
    if same_id is not None:
        return decide_update(same_id, item, now=now)
    if same_text is not None:
        return Decision("reinforced", same_text)
    new = item.as_new()
    return Decision(
        "added",
        replace(
            new,
            memory_id=new_id(),
            created_at=now,
            timestamp=min(item.timestamp or now, now),
        ),
    )


def decide_update(old: MemoryItem, new: MemoryItem, *, now: datetime) -> Decision:
    """Return the old memory with the new one's values; its text becomes a version."""
    changes: dict[str, Any] = {name: getattr(new, name) for name in EDITABLE}
    changed = replace(old, **changes, timestamp=new.timestamp or old.timestamp)
    if changed == old:
        return Decision("unchanged", old)
    if changed.content != old.content:
        version = {
            "version": len(old.versions) + 1,
            "content": old.content,
            "type": old.type,
            "replaced_at": format_time(now),
        }
        changed = replace(
            changed, versions=(*old.versions, version), embedding=(), embedding_model=""
        )
    return Decision("updated", replace(changed, timestamp=new.timestamp or now))


def decide_import(
    item: MemoryItem, *, same: MemoryItem | None, id_taken: bool, now: datetime
) -> Decision:
    """Decide on a memory of an import: it keeps its id, times, scores and status."""
    if same is not None:
        kept = replace(
            item,
            memory_id=same.memory_id,
            timestamp=item.timestamp or same.timestamp,
            created_at=item.created_at or same.created_at,
        )
        return Decision("unchanged" if kept == same else "updated", kept)
    memory_id = new_id() if id_taken or not item.memory_id else item.memory_id
    return Decision(
        "added",
        replace(
            item,
            memory_id=memory_id,
            timestamp=item.timestamp or now,
            created_at=item.created_at or now,
        ),
    )


def new_id() -> str:
    """Return a fresh memory id."""
    return str(uuid.uuid4())


def identity(item: MemoryItem) -> tuple[str, ...]:
    """Return what makes two memories of an import the same one."""
    if item.external_id:
        return ("id", item.owner_id, item.namespace, item.external_id)
    moment = format_time(item.timestamp) if item.timestamp else ""
    key = text_key(item.content)
    return ("text", item.owner_id, item.namespace, item.type, key, moment)


def save_key(item: MemoryItem) -> tuple[str, ...]:
    """Return what makes two saves say the same thing, whenever they were said."""
    return (item.owner_id, item.namespace, item.type, text_key(item.content))


def is_live(item: MemoryItem, now: datetime) -> bool:
    """Say whether a search may return the memory."""
    return item.status == "active" and (item.expire_at is None or item.expire_at > now)


def matches(item: MemoryItem, wanted: Filter | None) -> bool:
    """Say whether the memory meets every condition of the filter."""
    if wanted is None:
        return True
    return (
        (not wanted.types or item.type in wanted.types)
        and set(wanted.tags) <= set(item.tags)
        and wanted.source_kind in (None, item.source.kind)
        and wanted.tier in (None, item.tier)
        and _within(item.occurred_at, wanted.occurred_after, wanted.occurred_before)
        and contains(item.metadata, wanted.metadata)
    )


def contains(whole: Any, part: Any) -> bool:
    """Say whether `whole` contains `part`, objects by their keys, all else equal."""
    if isinstance(part, Mapping):
        return isinstance(whole, Mapping) and all(
            key in whole and contains(whole[key], value) for key, value in part.items()
        )
    return bool(whole == part)


def _within(
    moment: datetime | None, after: datetime | None, before: datetime | None
) -> bool:
    if after is None and before is None:
        return True
    if moment is None:
        return False
    return (after is None or moment >= after) and (before is None or moment <= before)
