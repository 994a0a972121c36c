"""What a memory said before, and in which other words it was said."""

from datetime import datetime
from typing import Any
from uuid import UUID

from memory_core.contracts.callers import Actor
from memory_core.models import Memory, MemoryVersion
from memory_core.saving import lookups

KEPT = (
    "category_id",
    "subject",
    "entities",
    "tags",
    "metadata",
    "importance",
    "confidence",
    "tier",
    "session_id",
    "position",
    "observed_at",
    "occurred_at",
    "expire_at",
    "external_id",
    "related",
    "source_id",
    "lineage_trust",
)
TIMES = ("observed_at", "occurred_at", "expire_at")
PROVENANCE = ("source_id", "lineage_trust")
REPETITION = "reinforced"
MOST_REPETITIONS = 100
"""Wordings kept of one memory: repeating a thing for ever must not fill the disk."""


def keep_replaced(memory: Memory, *, event: str, by: Actor, now: datetime) -> None:
    """Keep the present text and fields under the present version number."""
    _keep(memory, event, memory.content, values_of(memory), by=by, now=now)


def keep_wording(
    memory: Memory,
    wording: str,
    *,
    session_id: str,
    source: int,
    external_id: str = "",
    by: Actor,
    now: datetime,
) -> None:
    """Note that the memory was said again, each wording once a session."""
    said = MemoryVersion.objects.filter(memory=memory, event=REPETITION)
    values = {
        "session_id": session_id,
        "source_id": source,
        "external_id": external_id,
    }
    same = said.filter(content=wording, values__session_id=session_id)
    if not same.exists() and said.count() < MOST_REPETITIONS:
        _keep(memory, REPETITION, wording, values, by=by, now=now)


def was_said_in(memory: Memory, session_id: str) -> bool:
    """Return whether the memory was repeated in this session, in whatever words."""
    noted = MemoryVersion.objects.filter(
        memory=memory, event=REPETITION, values__session_id=session_id
    )
    merged = Memory.unscoped.filter(merged_into=memory, session_id=session_id)
    return noted.exists() or merged.exists()


def find(memory: Memory, number: int) -> MemoryVersion | None:
    """Return what the memory was in that version, None for one that never was."""
    kept = MemoryVersion.objects.filter(memory=memory, version=number)
    return kept.exclude(event=REPETITION).order_by("id").last()


def values_of(memory: Memory) -> dict[str, Any]:
    """Return the fields that a roll-back brings back, as plain values for JSON."""
    return {name: _plain(getattr(memory, name)) for name in KEPT}


def changes_of(version: MemoryVersion) -> dict[str, Any]:
    """Return what brings a kept version back, as the changes of an update."""
    changes: dict[str, Any] = {"content": version.content}
    for name, value in version.values.items():
        if name == "category_id":
            changes["category"] = lookups.category_name(value)
        elif name == "related":
            changes[name] = tuple(UUID(one) for one in value)
        elif name in TIMES and value is not None:
            changes[name] = datetime.fromisoformat(value)
        elif name not in PROVENANCE:
            changes[name] = value
    return changes


def _keep(
    memory: Memory,
    event: str,
    content: str,
    values: dict[str, Any],
    *,
    by: Actor,
    now: datetime,
) -> None:
    MemoryVersion.objects.create(
        memory=memory,
        version=memory.version,
        event=event,
        content=content,
        values=values,
        changed_by=by.name,
        token_prefix=by.token_prefix,
        created_at=now,
    )


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, list):
        return [str(item) for item in value]
    return value
