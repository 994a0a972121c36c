"""Which stored memory a line is the same as, and what it would change of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q

from memory_core.contracts.callers import Scope
from memory_core.contracts.enums import Status
from memory_core.models import Memory
from memory_core.saving import revising
from memory_core.saving.preparing import Prepared
from memory_core.saving.provenance import subject_of
from memory_core.saving.relation.normal import fold
from memory_core.saving.rows import sent_values
from memory_core.snapshots.drafts import Line, ids_of, version_of

CHANGEABLE = (Status.ACTIVE, Status.PENDING, Status.ARCHIVED)


@dataclass(frozen=True, slots=True)
class Ready:
    """A line that passed screening, the id it names, and the one it gets without."""

    line: Line
    prepared: Prepared
    own_id: UUID | None
    derived_id: UUID


def ready(line: Line, prepared: Prepared) -> Ready:
    """Return a screened line with its ids."""
    owner_id, namespace = prepared.draft.owner_id, prepared.space.name
    return Ready(
        line, prepared, *ids_of(line.record, owner=owner_id, namespace=namespace)
    )


def names_of(one: Ready) -> Iterator[Any]:
    """Yield by what the line may be the same memory as another."""
    draft = one.prepared.draft
    yield _statement(one.prepared)
    if draft.external_id:
        yield "external", draft.external_id
    if "memory_id" in one.line.record:
        yield "id", one.line.record["memory_id"]


def stored(part: Sequence[Ready], scope: Scope) -> dict[int, Memory]:
    """Return, by line number, the stored memories that lines are the same as."""
    rows = _candidates(part, scope)
    by_id = {row.pk: row for row in rows}
    named = {
        row.external_id: row
        for row in sorted(rows, key=lambda row: -row.status)
        if row.external_id and row.status in CHANGEABLE
    }
    said: dict[tuple[Any, ...], Memory] = {}
    for row in rows:
        key = (row.category_id, bytes(row.text_key), row.observed_at)
        said.setdefault((*key, fold(row.subject).strip()), row)
    found: dict[int, Memory] = {}
    for one in part:
        external = one.prepared.draft.external_id if one.line.is_current else ""
        match = (
            named.get(external)
            or (by_id.get(one.own_id) if one.own_id else None)
            or by_id.get(one.derived_id)
            or said.get(_statement(one.prepared))
        )
        if match:
            found[one.line.number] = match
    return found


def _candidates(part: Sequence[Ready], scope: Scope) -> list[Memory]:
    """Each filter by itself has an index: together they would read all of the owner."""
    ids = {one.derived_id for one in part}
    ids |= {one.own_id for one in part if one.own_id}
    keys = [one.prepared.text_key for one in part]
    filters = [Q(pk__in=ids), Q(text_key__in=keys)]
    external = [one.prepared.draft.external_id for one in part]
    if names := [name for name in external if name]:
        current = Q(status__in=CHANGEABLE) & ~Q(external_id="")
        filters.append(Q(external_id__in=names) & current)
    rows = Memory.objects.within(scope)
    found = {row.pk: row for one in filters for row in rows.filter(one)}
    return list(found.values())


def changes_of(one: Ready, memory: Memory) -> dict[str, Any]:
    """Return what the line would change of the memory that it names.

    Nothing if the memory was changed here since, is history, or the line is.
    """
    prepared = one.prepared
    is_ours = prepared.observed_at < memory.observed_at or (
        prepared.observed_at == memory.observed_at
        and memory.version != version_of(one.line.record)
    )
    if is_ours or not one.line.is_current or memory.status not in CHANGEABLE:
        return {}
    changes = revising.differing(memory, sent_values(prepared))
    if set(changes) == {"content"} and bytes(memory.text_key) == prepared.text_key:
        return {}  # the same words in other case, width or punctuation
    return changes


def _statement(prepared: Prepared) -> tuple[Any, ...]:
    """What makes two statements the same: kind, words, time and whom it is about."""
    subject = fold(subject_of(prepared.draft, prepared.origin)).strip()
    return (prepared.kind.id, prepared.text_key, prepared.observed_at, subject)
