"""A caller's change to a stored memory: judged like a save, kept like a version."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from memory_core import auditing
from memory_core.contracts.callers import Actor
from memory_core.contracts.enums import EmbeddingState
from memory_core.contracts.memories import Draft
from memory_core.exceptions import (
    InvalidInput,
    NotFound,
    TransitionRefused,
    VersionConflict,
)
from memory_core.models import Memory
from memory_core.queueing import enqueue
from memory_core.saving import amending, lookups, revising
from memory_core.saving.adding import Place
from memory_core.saving.amending import Amended
from memory_core.saving.preparing import Prepared
from memory_core.saving.provenance import allowed_kind

LISTS = frozenset({"entities", "tags", "related"})
PLAIN = frozenset(
    {
        "content",
        "subject",
        "importance",
        "confidence",
        "tier",
        "session_id",
        "position",
        "observed_at",
        "occurred_at",
        "expire_at",
        "external_id",
    }
)
CHANGEABLE = PLAIN | LISTS | {"category", "metadata"}
SOURCE = frozenset({"source_kind", "source_name"})


class Stale(Exception):
    """The memory changed between being read and being locked: read it again."""


def merged_draft(
    memory: Memory, changes: Mapping[str, Any], by: Actor, *, owner_id: str
) -> Draft:
    """Return the memory as it would be after the changes, as a draft to be judged.

    The change is said by the caller's kind of source: the memory's own if the token
    may write as that, else what it may. Raises InvalidInput for a field that cannot
    be changed.
    """
    if unknown := changes.keys() - CHANGEABLE - SOURCE:
        name = min(unknown)
        raise InvalidInput(f"{name} cannot be changed.", field=name)
    claimed = changes.get("source_kind") or memory.source.kind
    is_own = allowed_kind(claimed, by) == memory.source.kind
    name = changes.get("source_name") or (memory.source.name if is_own else "")
    values = _present(memory) | {
        key: tuple(value) if key in LISTS else value
        for key, value in changes.items()
        if key not in SOURCE
    }
    return Draft(
        owner_id=owner_id,
        namespace=lookups.namespace(memory.namespace_id).name,
        source_kind=claimed,
        source_name=name,
        **values,
    )


def change(
    prepared: Prepared,
    place: Place,
    changes: Mapping[str, Any],
    *,
    memory_id: UUID,
    seen_version: int,
    expected_version: int | None,
    event: str,
) -> Memory:
    """Return the changed memory, or the proposal that waits for a person instead.

    Where a more trusted memory says so already, that one; the changed one is kept
    behind it. Runs in the transaction that is `pipeline.opened`. Raises NotFound,
    VersionConflict, Stale, TransitionRefused, InvalidInput.
    """
    memory = _locked(memory_id, prepared)
    if expected_version is not None and memory.version != expected_version:
        raise VersionConflict(version=memory.version)
    if memory.version != seen_version:
        raise Stale
    if memory.status not in amending.CHANGEABLE:
        raise TransitionRefused(
            "It cannot be changed any more; restore it first.", why="not_changeable"
        )
    values = columns(changes)
    if "observed_at" in values:
        values["observed_at"] = prepared.observed_at
    values = revising.differing(memory, values)
    if "subject" in values:
        values["subject_is_assumed"] = False
    if not values:
        return memory
    _check_external_id(memory, values, prepared)
    done = amending.amend(memory, values, prepared, place, event=event)
    if done.is_done:
        _record(memory, prepared, done, fields=sorted(values))
    return done.memory


def columns(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return changes by the names and in the types of the memory's columns."""
    values = {key: value for key, value in changes.items() if key in PLAIN}
    values |= {key: list(changes[key]) for key in LISTS if key in changes}
    if "metadata" in changes:
        values["metadata"] = dict(changes["metadata"])
    if "category" in changes:
        values["category_id"] = lookups.category(changes["category"]).id
    return values


def _present(memory: Memory) -> dict[str, Any]:
    return {
        "content": memory.content,
        "category": lookups.category_name(memory.category_id),
        "subject": memory.subject,
        "entities": tuple(memory.entities),
        "tags": tuple(memory.tags),
        "metadata": memory.metadata,
        "importance": memory.importance,
        "confidence": memory.confidence,
        "tier": memory.tier,
        "session_id": memory.session_id,
        "position": memory.position,
        "occurred_at": memory.occurred_at,
        "expire_at": memory.expire_at,
        "external_id": memory.external_id,
        "related": tuple(memory.related),
    }


def _locked(memory_id: UUID, prepared: Prepared) -> Memory:
    rows = Memory.objects.within(prepared.scope).select_for_update()
    memory: Memory | None = rows.filter(pk=memory_id).first()
    if memory is None:
        raise NotFound()
    return memory


def _check_external_id(
    memory: Memory, values: Mapping[str, Any], prepared: Prepared
) -> None:
    name = values.get("external_id")
    if not name:
        return
    others = Memory.objects.within(prepared.scope).exclude(pk=memory.pk)
    if others.active().filter(external_id=name).exists():
        raise InvalidInput("Another memory has this external_id.", field="external_id")


def _record(
    memory: Memory, prepared: Prepared, done: Amended, *, fields: list[str]
) -> None:
    into = {"into": str(done.memory.pk)} if done.memory.pk != memory.pk else {}
    auditing.record(
        "memory.update",
        by=prepared.by,
        namespace=prepared.space.name,
        memory_id=memory.pk,
        owner_id=prepared.draft.owner_id,
        content=memory.content,
        fields=fields,
        version=memory.version,
        source=prepared.origin.kind.value,
        superseded=[str(one) for one in done.superseded],
        **into,
    )
    if memory.embedding == EmbeddingState.QUEUED:
        enqueue("embed_memory", str(memory.pk))
