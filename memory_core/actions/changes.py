"""Changes to a stored memory: other words, an earlier version, back again."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone

from memory_core import auditing, idempotency, isolation, locks
from memory_core.actions.guards import REFUSALS, record_refusal, require_writable
from memory_core.contracts.callers import Actor, Scope
from memory_core.contracts.enums import Status
from memory_core.contracts.idempotency import IdempotencyKey, Replay
from memory_core.contracts.memories import Draft
from memory_core.contracts.views import MemoryView
from memory_core.exceptions import NotFound, TransitionRefused, VersionConflict
from memory_core.models import Memory
from memory_core.recall.views import views_of
from memory_core.saving import (
    amending,
    changing,
    lookups,
    pipeline,
    preparing,
    redacting,
    restoring,
    transitions,
    versions,
)
from memory_core.saving.preparing import Prepared

ATTEMPTS = 3
"""How often a change is judged anew when the memory changed under it."""


def correct(
    *,
    by: Actor,
    scope: Scope,
    memory_id: UUID,
    changes: Mapping[str, Any],
    expected_version: int | None = None,
    once: IdempotencyKey | None = None,
) -> MemoryView:
    """Return the changed memory; it keeps its id, and the old words as a version.

    `changes` maps names of a draft's fields to values. A changed statement is judged
    like a new one: what it contradicts is superseded, what says the same is merged
    into it. A caller who is less trusted than the memory or than what it contradicts,
    or whose words are held, changes nothing: what it proposes is returned, a memory of
    its own that waits for a person. Raises NotFound,
    NamespaceNotWritable, VersionConflict, TransitionRefused, InvalidInput,
    SourceBlocked, OwnerBeingErased, ScreeningRefused, IdempotencyConflict.
    """
    return _change(
        lambda _: changes,
        by,
        scope,
        memory_id,
        expected_version=expected_version,
        once=once,
    )


def roll_back(
    *,
    by: Actor,
    scope: Scope,
    memory_id: UUID,
    version: int,
    once: IdempotencyKey | None = None,
) -> MemoryView:
    """Return the memory with the text and fields of an earlier version.

    It is an update and obeys the same rules; the present text becomes a version.
    Raises as `correct` does, NotFound for an unknown version too.
    """

    def make(memory: Memory) -> Mapping[str, Any]:
        kept = versions.find(memory, version)
        if kept is None:
            raise NotFound()
        return versions.changes_of(kept)

    return _change(make, by, scope, memory_id, event=amending.ROLLED_BACK, once=once)


def restore(
    *, by: Actor, scope: Scope, memory_id: UUID, once: IdempotencyKey | None = None
) -> MemoryView:
    """Return a superseded, archived or expired memory, current again.

    One that is more trusted than the caller, or that is held by today's rules, waits
    for a person. Raises NotFound, NamespaceNotWritable, TransitionRefused,
    SourceBlocked, ScreeningRefused, IdempotencyConflict.
    """
    return _bring_back(restoring.restore, by, scope, memory_id, once)


def unmerge(
    *, by: Actor, scope: Scope, memory_id: UUID, once: IdempotencyKey | None = None
) -> MemoryView:
    """Return a merged memory, or a merge's survivor, as a memory of its own.

    Raises as `restore` does.
    """
    return _bring_back(restoring.unmerge, by, scope, memory_id, once)


def archive(*, by: Actor, scope: Scope, memory_id: UUID) -> MemoryView:
    """Return the memory, put away before it faded; `restore` brings it back.

    Raises NotFound, NamespaceNotWritable, TransitionRefused.
    """
    now = timezone.now()
    with isolation.transaction_for(by, scope):
        memory = _visible(memory_id, scope, by)
        locks.lock_owner(owner=scope.owner, namespace=memory.namespace_id)
        memory.refresh_from_db()
        if memory.status != Status.ACTIVE:
            raise TransitionRefused(
                "Only a current memory can be archived.", why="not_current"
            )
        transitions.archive([memory_id], now=now)
        auditing.record(
            "memory.archive",
            by=by,
            memory_id=memory_id,
            owner_id=scope.owner_id,
            content=memory.content,
        )
        return views_of([memory_id], now=now)[memory_id]


def _change(
    make: Callable[[Memory], Mapping[str, Any]],
    by: Actor,
    scope: Scope,
    memory_id: UUID,
    *,
    expected_version: int | None = None,
    event: str = "updated",
    once: IdempotencyKey | None = None,
) -> MemoryView:
    """Read, judge, lock and change; again if the memory changed in between."""
    for _ in range(ATTEMPTS):
        now = timezone.now()
        try:
            with isolation.transaction_for(by, scope):
                idempotency.peek(once, now=now)
                memory = _visible(memory_id, scope, by)
                changes = _storable(make(memory), memory.namespace_id)
                draft = changing.merged_draft(
                    memory, changes, by, owner_id=scope.owner_id
                )
            prepared = _judged(memory, draft, by, scope, now=now)
            with pipeline.opened(prepared, once) as (current, place):
                changed = changing.change(
                    current,
                    place,
                    changes,
                    memory_id=memory_id,
                    seen_version=memory.version,
                    expected_version=expected_version,
                    event=event,
                )
                return _kept_view(changed, scope, once, now=now)
        except changing.Stale:
            continue
        except Replay as replay:
            return _view_again(replay, by, scope, now=now)
    raise VersionConflict()


def _bring_back(
    engine: Callable[..., Memory],
    by: Actor,
    scope: Scope,
    memory_id: UUID,
    once: IdempotencyKey | None,
) -> MemoryView:
    now = timezone.now()
    try:
        with isolation.transaction_for(by, scope):
            idempotency.peek(once, now=now)
            memory = _visible(memory_id, scope, by)
            draft = changing.merged_draft(memory, {}, by, owner_id=scope.owner_id)
        prepared = _judged(memory, draft, by, scope, now=now)
        with pipeline.opened(prepared, once) as (current, _):
            brought = engine(current, memory_id=memory_id)
            return _kept_view(brought, scope, once, now=now)
    except Replay as replay:
        return _view_again(replay, by, scope, now=now)


def _judged(
    memory: Memory, draft: Draft, by: Actor, scope: Scope, *, now: datetime
) -> Prepared:
    """Return a change screened and, if it has to be compared with others, embedded."""
    narrow = replace(scope, namespaces=(memory.namespace_id,))
    try:
        prepared = preparing.prepare(draft, by, narrow, now=now)
    except REFUSALS as error:
        record_refusal(error, draft, by, action="memory.update")
        raise
    now_is = (draft.content, draft.subject, prepared.kind.id)
    was = (memory.content, memory.subject, memory.category_id)
    prepared = replace(prepared, needs_vector=now_is != was)
    return preparing.with_vectors([prepared])[0]


def _storable(changes: Mapping[str, Any], namespace: int) -> Mapping[str, Any]:
    """Return the changes as the namespace's policy on secrets lets them be stored."""
    if not lookups.namespace(namespace).redacts:
        return changes
    return redacting.changes_without_secrets(changes)[0]


def _visible(memory_id: UUID, scope: Scope, by: Actor) -> Memory:
    rows = Memory.objects.within(scope).select_related("source")
    memory: Memory | None = rows.filter(pk=memory_id).first()
    if memory is None:
        raise NotFound()
    require_writable(memory, by)
    return memory


def _kept_view(
    memory: Memory, scope: Scope, once: IdempotencyKey | None, *, now: datetime
) -> MemoryView:
    answer = {"memory_id": str(memory.pk), "version": memory.version}
    idempotency.keep(once, answer=answer, owner=scope.owner, now=now)
    return views_of([memory.pk], now=now)[memory.pk]


def _view_again(
    replay: Replay, by: Actor, scope: Scope, *, now: datetime
) -> MemoryView:
    """The answer to a repeated request: no text was kept, so it is read again."""
    memory_id = UUID(replay.answer["memory_id"])
    with isolation.transaction_for(by, scope):
        found = views_of([memory_id], now=now)
    if memory_id not in found:
        raise NotFound()
    return found[memory_id]
