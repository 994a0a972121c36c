"""Memories by id and in lists: nothing is ranked and nothing touched.

All of it runs in the caller's transaction, within its scope; what is not there and
what is somebody else's look the same.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from memory_core.contracts.callers import Scope
from memory_core.contracts.enums import Status
from memory_core.contracts.recall import NOTHING_NARROWED, Narrowing
from memory_core.contracts.views import History, MemoryView, Page, VersionView
from memory_core.prepared import fetch
from memory_core.recall.reach import Condition, Reach
from memory_core.recall.views import MEMORIES, view_of


def get(scope: Scope, memory_id: UUID, *, now: datetime) -> MemoryView | None:
    """Return one memory of the scope in whatever state, None if it is not there."""
    found = _views(scope, Condition("m.id = %s", (memory_id,)), now=now)
    return found[0] if found else None


def history(scope: Scope, memory_id: UUID, *, now: datetime) -> History | None:
    """Return a memory with what came before it, None if it is not there."""
    memory = get(scope, memory_id, now=now)
    if memory is None:
        return None
    before = Condition("m.superseded_by_id = %s", (memory_id,))
    merged = Condition("m.merged_into_id = %s", (memory_id,))
    return History(
        memory=memory,
        versions=_versions(memory_id),
        supersedes=tuple(_views(scope, before, now=now)),
        merged=tuple(_views(scope, merged, now=now)),
    )


def page(
    scope: Scope,
    *,
    narrowing: Narrowing = NOTHING_NARROWED,
    statuses: Sequence[Status] = tuple(Status),
    session_id: str = "",
    external_id: str = "",
    since: datetime | None = None,
    after: UUID | None = None,
    limit: int = 50,
    now: datetime,
) -> Page:
    """Return up to `limit` memories, the newest first, after the one named `after`.

    The order is that of their ids, so pages stay what they are while others write.
    `since` bounds `observed_at`.
    """
    reach = Reach(scope, tuple(statuses), narrowing=narrowing)
    where = reach.of_memory()
    if session_id:
        where &= Condition("m.session_id = %s", (session_id,))
    if external_id:
        where &= Condition("m.external_id = %s", (external_id,))
    if since is not None:
        where &= Condition("m.observed_at >= %s", (since,))
    if after is not None:
        where &= Condition("m.id < %s", (after,))
    found = _views(
        scope, where, now=now, statuses=statuses, tail="m.id DESC", limit=limit + 1
    )
    shown = tuple(found[:limit])
    return Page(shown, shown[-1].memory_id if len(found) > limit else None)


def _views(
    scope: Scope,
    where: Condition,
    *,
    now: datetime,
    statuses: Sequence[Status] = tuple(Status),
    tail: str = "m.id",
    limit: int | None = None,
) -> list[MemoryView]:
    within = Reach(scope, tuple(statuses)).of("m") & where
    rows: list[tuple[Any, ...]] = fetch(
        f"{MEMORIES} WHERE {within.text} ORDER BY {tail} LIMIT %s::bigint",
        [*within.values, limit],
    )
    return [view_of(row, now=now) for row in rows]


def _versions(memory_id: UUID) -> tuple[VersionView, ...]:
    rows = fetch(
        "SELECT version, event, content, values, changed_by, created_at"
        " FROM memory_core_memoryversion WHERE memory_id = %s ORDER BY id DESC",
        [memory_id],
    )
    return tuple(VersionView(*row) for row in rows)
