"""Memories as mem0's clients read them."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID, uuid5

from api.compat.mem0.dates import day_of, written
from api.compat.mem0.entities import entities_of, without_entities
from memory_core.contracts.recall import RecallHit
from memory_core.contracts.views import History, MemoryView, VersionView

REPEATED = "reinforced"


def memory(view: MemoryView, owner_id: str) -> dict[str, Any]:
    """Return one memory; `categories` are its category and its tags."""
    return {
        "id": str(view.memory_id),
        "memory": view.content,
        **entities_of(view, owner_id),
        "metadata": without_entities(view.metadata),
        "categories": list(dict.fromkeys([view.category, *view.tags])),
        "expiration_date": day_of(view.expire_at),
        "timestamp": written(view.observed_at),
        "created_at": written(view.created_at),
        "updated_at": written(view.updated_at),
    }


def found(hit: RecallHit, owner_id: str) -> dict[str, Any]:
    """Return a memory that was searched for, with its score in [0, 1].

    Of the parts only the similarity has the meaning that mem0 gives it.
    """
    return {
        **memory(hit.memory, owner_id),
        "score": hit.rank_score,
        "score_breakdown": {"semantic": hit.similarity, "bm25": None, "entity": None},
    }


def only(shown: Mapping[str, Any], fields: Sequence[str]) -> dict[str, Any]:
    """Return what of a memory was asked for; no names mean everything."""
    if not fields:
        return dict(shown)
    return {name: one for name, one in shown.items() if name == "id" or name in fields}


def event(memory_id: UUID, text: str, name: str, **more: Any) -> dict[str, Any]:
    """Return one entry of an add's results, readable by old and new clients."""
    return {
        "id": str(memory_id),
        "memory": text,
        "data": {"memory": text},
        "event": name,
        **more,
    }


def history(found: History, owner_id: str) -> list[dict[str, Any]]:
    """Return what a memory said one after the other, the oldest first."""
    view = found.memory
    versions = [one for one in reversed(found.versions) if one.event != REPEATED]
    texts = [*(one.content for one in versions), view.content]
    times = [view.created_at, *(one.created_at for one in versions)]
    before = [None, *texts[:-1]]
    entities = entities_of(view, owner_id)
    return [
        {
            "id": str(uuid5(view.memory_id, str(number))),
            "memory_id": str(view.memory_id),
            "old_memory": old,
            "new_memory": new,
            "event": "UPDATE" if number else "ADD",
            "user_id": entities["user_id"],
            "metadata": without_entities(_metadata(versions, number, view)),
            "created_at": written(view.created_at),
            "updated_at": written(times[number]),
        }
        for number, (old, new) in enumerate(zip(before, texts, strict=True))
        if old != new
    ]


def _metadata(
    versions: Sequence[VersionView], number: int, view: MemoryView
) -> Mapping[str, Any]:
    if number == len(versions):
        return view.metadata
    kept: Mapping[str, Any] = versions[number].values.get("metadata") or {}
    return kept
