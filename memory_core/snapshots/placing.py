"""Lines of one owner, namespace and source into the store, in one transaction.

They pass the same gates, screening and rules as a live save. An import merges with and
replaces nothing but the same memory: the same external id, the same id, or the same
statement of the same time.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from memory_core import auditing, isolation
from memory_core.contracts.callers import Actor, Scope
from memory_core.contracts.enums import Status
from memory_core.contracts.memories import Draft
from memory_core.contracts.relation import Vector
from memory_core.embedding import EmbedderUnavailable
from memory_core.exceptions import MnemeError, ScreeningRefused
from memory_core.models import EmbeddingModel, Memory, MemoryVersion
from memory_core.saving import loading, pipeline, preparing, vectors
from memory_core.saving.adding import Place, strength_of
from memory_core.saving.holding import reasons_to_hold
from memory_core.saving.loading import Load
from memory_core.saving.preparing import Prepared
from memory_core.saving.rows import placed
from memory_core.snapshots.drafts import (
    Line,
    row_of,
    vector_of,
    versions_of,
)
from memory_core.snapshots.judging import fault_of, judged, record_refusals
from memory_core.snapshots.recognising import Ready, changes_of, names_of, ready, stored
from memory_core.snapshots.report import Fault, Outcome

AT_ONCE = 200
"""Lines that one transaction stores at most."""

Result = Outcome | tuple[Line, Fault]


def place_lines(
    lines: Sequence[tuple[Line, Draft]],
    by: Actor,
    scope: Scope,
    *,
    dry_run: bool,
    now: datetime,
) -> list[Result]:
    """Return what became of each line, or in a dry run would.

    All have the same owner, namespace and source.
    """
    results: list[Result] = []
    passed: list[Ready] = []
    place = _foreseen if dry_run else _stored
    for line, found in judged(lines, by, scope, now=now):
        if not isinstance(found, Prepared):
            results.append((line, fault_of(line, found)))
            continue
        passed.append(ready(line, found))
        if len(passed) == AT_ONCE:  # the others are being screened meanwhile
            results += _placed(passed, place, by)
            passed = []
    results += _placed(passed, place, by)
    if not dry_run:
        faults = [one[1] for one in results if isinstance(one, tuple)]
        record_refusals(faults, lines, by, scope)
    return results


def _placed(
    passed: Sequence[Ready],
    place: Callable[[Sequence[Ready], Actor], list[Result]],
    by: Actor,
) -> list[Result]:
    parts = _without_repetitions(passed)
    return [result for part in parts for result in place(part, by)]


def _without_repetitions(passed: Sequence[Ready]) -> Iterator[list[Ready]]:
    """Cut so that no part names the same memory twice: later lines see earlier ones."""
    part: list[Ready] = []
    seen: set[Any] = set()
    for one in passed:
        names = set(names_of(one))
        if names & seen:
            yield part
            part, seen = [], set()
        part.append(one)
        seen |= names
    if part:
        yield part


def _foreseen(part: Sequence[Ready], by: Actor) -> list[Result]:
    prepared = part[0].prepared
    with isolation.transaction_for(by, prepared.scope):
        known = stored(part, prepared.scope)
        return [_foresee(one, known.get(one.line.number)) for one in part]


def _foresee(one: Ready, memory: Memory | None) -> Outcome:
    is_held = bool(reasons_to_hold(one.prepared)) and one.line.is_current
    if memory is None:
        identity = one.own_id or one.derived_id
        return Outcome(one.line.number, "added", identity, is_held)
    changes = changes_of(one, memory)
    event = "updated" if changes else "unchanged"
    held = is_held and bool(changes)
    return Outcome(one.line.number, event, memory.pk, held, tuple(sorted(changes)))


def _stored(part: Sequence[Ready], by: Actor) -> list[Result]:
    part = _embedded(part, by)
    try:
        with pipeline.opened(part[0].prepared) as (first, where):
            current = [
                replace(one, prepared=_as_opened(one.prepared, first)) for one in part
            ]
            return _write(current, where, by, first.scope)
    except ScreeningRefused:  # the source lost its trust between look and lock
        return [(one.line, fault_of(one.line, ScreeningRefused())) for one in part]
    except MnemeError as error:
        return [(one.line, fault_of(one.line, error)) for one in part]


def _as_opened(prepared: Prepared, first: Prepared) -> Prepared:
    current = preparing.with_trust(prepared, first.trust)
    return replace(current, scope=first.scope)


def _embedded(part: Sequence[Ready], by: Actor) -> list[Ready]:
    """Give the lines their vectors: the file's own where it fits, else made now.

    What is stored already and stays as it is needs none.
    """
    prepared = part[0].prepared
    with isolation.transaction_for(by, prepared.scope):
        dimensions = EmbeddingModel.objects.get(pk=prepared.model.id).dimensions
    name = prepared.model.name
    found = {
        one.line.number: vector_of(one.line.record, model=name, dimensions=dimensions)
        for one in part
    }
    found |= _made([one for one in part if found[one.line.number] is None], by)
    return [
        replace(one, prepared=replace(one.prepared, vector=found[one.line.number]))
        for one in part
    ]


def _made(part: Sequence[Ready], by: Actor) -> dict[int, Vector]:
    """Return vectors by line, none while the embedder is away: the queue makes them."""
    if not part:
        return {}
    prepared = part[0].prepared
    with isolation.transaction_for(by, prepared.scope):
        known = stored(part, prepared.scope)
    lacking = [
        one
        for one in part
        if (memory := known.get(one.line.number)) is None or changes_of(one, memory)
    ]
    if not lacking:
        return {}
    texts = [one.prepared.draft.content for one in lacking]
    try:
        made = vectors.embed(prepared.model, texts)
    except EmbedderUnavailable:
        return {}
    return {one.line.number: vector for one, vector in zip(lacking, made, strict=True)}


def _write(
    part: Sequence[Ready], where: Place, by: Actor, scope: Scope
) -> list[Result]:
    known = stored(part, scope)
    results: list[Result] = []
    new: list[Ready] = []
    for one in part:
        memory = known.get(one.line.number)
        if memory is None:
            new.append(one)
        else:
            results.append(_renewed(one, memory, where))
    return results + _added(new, where, by, scope)


def _renewed(one: Ready, memory: Memory, where: Place) -> Outcome:
    if not changes_of(one, memory):
        return Outcome(one.line.number, "unchanged", memory.pk)
    saved = pipeline.renew(memory, one.prepared, where)
    event = "unchanged" if saved.event == "unchanged" else "updated"
    is_held = event == "updated" and saved.status == "pending"
    return Outcome(one.line.number, event, saved.memory_id, is_held)


def _added(new: Sequence[Ready], where: Place, by: Actor, scope: Scope) -> list[Result]:
    if not new:
        return []
    named = {one.own_id for one in new if one.own_id}
    taken = _taken(named, scope) if named else set()
    try:
        with transaction.atomic():
            return _insert(new, where, by, taken)
    except IntegrityError:  # somebody else has one of these ids
        with transaction.atomic():
            return _insert(new, where, by, named)


def _taken(named: set[UUID], scope: Scope) -> set[UUID]:
    rows = Memory.objects.within(scope).filter(pk__in=named)
    return set(rows.values_list("pk", flat=True))


def _insert(
    new: Sequence[Ready], where: Place, by: Actor, taken: set[UUID]
) -> list[Result]:
    loads, versions = [], []
    results: list[Result] = []
    for one in new:
        own = one.own_id
        identity = own if own and own not in taken else one.derived_id
        memory = row_of(one.line, one.prepared, where, identity)
        strength = strength_of(one.prepared)
        loads.append(Load(memory, strength, placed(one.prepared)))
        versions += versions_of(
            one.line, memory, by=by.name, token_prefix=by.token_prefix
        )
        is_held = memory.status == Status.PENDING and one.line.status != "pending"
        results.append(Outcome(one.line.number, "added", identity, is_held))
    loading.insert_many(loads)
    MemoryVersion.objects.bulk_create(versions)
    prepared = new[0].prepared
    auditing.record(
        "memory.import",
        by=by,
        namespace=prepared.space.name,
        owner_id=prepared.draft.owner_id,
        source=prepared.origin.kind.value,
        added=[str(load.memory.pk) for load in loads],
    )
    return results
