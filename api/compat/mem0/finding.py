"""Which memories a list or a search of mem0's means, by the same actions as ours."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from api.compat.mem0 import filters, shapes
from api.compat.mem0.entities import ENTITIES, RUN, entity_of
from api.compat.mem0.filters import ANY_VALUE, Condition, Joined, Tree
from api.compat.mem0.inputs import DEFAULT_FOUND
from api.compat.mem0.matching import matches
from api.compat.mem0.owners import owners
from memory_core.actions import lookups
from memory_core.actions.recall import recall
from memory_core.contracts.callers import Caller
from memory_core.contracts.enums import Status
from memory_core.contracts.recall import NOTHING_NARROWED, Narrowing, RecallQuery
from memory_core.contracts.views import MemoryView

KEPT = (Status.ACTIVE, Status.ARCHIVED)
PAGE = 200
AT_TOP = (*ENTITIES, "metadata", "categories")

Shown = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for, and of whom."""

    tree: Joined
    owner_ids: tuple[str, ...]


def wanted(values: Mapping[str, Any]) -> Wanted:
    """Return what a request narrows to, at its top and in its filters.

    Raises InvalidInput, OwnerNeeded.
    """
    at_top = {name: values[name] for name in AT_TOP if values.get(name)}
    parts = [filters.read(at_top)]
    if values.get("filters"):
        parts.append(filters.read(values["filters"]))
    since = {
        operator: values[name].isoformat()
        for name, operator in (("start_date", "gte"), ("end_date", "lte"))
        if name in values
    }
    if since:
        parts.append(filters.read({"created_at": since}))
    if values.get("keywords"):
        parts.append(filters.read({"keywords": {"icontains": values["keywords"]}}))
    tree = Joined("AND", tuple(parts))
    return Wanted(tree, tuple(owners(tree)))


def listed(
    by: Caller, asked: Wanted, *, statuses: Sequence[Status] = KEPT
) -> Iterator[tuple[MemoryView, Shown]]:
    """Yield the memories that are meant, each owner's newest first."""
    for owner_id in asked.owner_ids:
        narrowing = pushed_down(asked.tree, owner_id) or NOTHING_NARROWED
        for view in _all(by, owner_id, narrowing, statuses):
            shown = shapes.memory(view, owner_id)
            if matches(asked.tree, shown):
                yield view, shown


def searched(by: Caller, asked: Wanted, values: Mapping[str, Any]) -> list[Shown]:
    """Return the memories that answer the query, best first."""
    hits = [
        one
        for owner_id in asked.owner_ids
        for one in _hits(by, owner_id, asked, values)
    ]
    threshold = values.get("threshold", 0.0)
    good = [one for one in hits if one["score"] >= threshold]
    good.sort(key=lambda one: one["score"], reverse=True)
    return good[: most(values)]


def most(values: Mapping[str, Any]) -> int:
    """Return how many memories are asked for."""
    found: int = values.get("top_k", values.get("limit", DEFAULT_FOUND))
    return found


def pushed_down(tree: Joined, owner_id: str) -> Narrowing | None:
    """Return the narrowing that finds exactly what the tree means of an owner.

    None if the database has no words for it; then the memories are looked through.
    """
    entity, value = entity_of(owner_id)
    metadata: dict[str, str] = {}
    sessions: set[str] = set()
    for condition in _all_hold(tree):
        if condition is None:
            return None
        name = condition.path[0]
        if name == entity:
            if condition.value != value:
                return None
        elif name == RUN:
            sessions.add(condition.value)
        elif metadata.setdefault(name, condition.value) != condition.value:
            return None
    if len(sessions) > 1:
        return None
    return Narrowing(metadata=metadata, sessions=tuple(sessions))


def _all_hold(tree: Tree) -> Iterator[Condition | None]:
    """Yield the conditions that must all hold, None for one of another kind."""
    if isinstance(tree, Condition):
        yield tree if _is_plain(tree) else None
    elif tree.how == "AND":
        for part in tree.parts:
            yield from _all_hold(part)
    else:
        yield None


def _is_plain(condition: Condition) -> bool:
    is_text = isinstance(condition.value, str) and condition.value != ANY_VALUE
    return condition.path[0] in ENTITIES and condition.operator == "eq" and is_text


def _all(
    by: Caller, owner_id: str, narrowing: Narrowing, statuses: Sequence[Status]
) -> Iterator[MemoryView]:
    after = None
    while True:
        page = lookups.page(
            by=by,
            owner_id=owner_id,
            narrowing=narrowing,
            statuses=statuses,
            after=after,
            limit=PAGE,
        )
        yield from page.memories
        after = page.next_after
        if after is None:
            return


def _hits(
    by: Caller, owner_id: str, asked: Wanted, values: Mapping[str, Any]
) -> Iterator[Shown]:
    narrowing = pushed_down(asked.tree, owner_id)
    if narrowing is None:
        narrowing = _looked_through(by, owner_id, asked)
        if not narrowing:
            return
    query = RecallQuery(
        owner_id=owner_id,
        query=values["query"],
        top_k=most(values),
        narrowing=narrowing,
        as_of=values.get("reference_date"),
        rerank="llm" if values.get("rerank") else "none",
    )
    # Ids that were looked up for this one question are no sample of anything.
    found = recall(by=by, query=query, sampled=not narrowing.among)
    for hit in found.hits:
        yield shapes.found(hit, owner_id)


def _looked_through(by: Caller, owner_id: str, asked: Wanted) -> Narrowing:
    mine = Wanted(asked.tree, (owner_id,))
    ids = [view.memory_id for view, _ in listed(by, mine, statuses=(Status.ACTIVE,))]
    return Narrowing(among=tuple(ids))
