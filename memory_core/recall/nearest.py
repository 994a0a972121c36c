"""The nearest vectors of one owner: exact, over an index that holds all it needs."""

from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from memory_core.contracts.callers import Scope
from memory_core.contracts.enums import Status
from memory_core.prepared import fetch, run
from memory_core.recall import indexes
from memory_core.recall.reach import CURRENT, JOIN_MEMORY, Reach
from memory_core.recall.sql import vector_literal

Vector = NDArray[np.float32]
Found = list[tuple[UUID, float]]


def nearest(
    scope: Scope,
    vector: Vector,
    model_id: int,
    *,
    limit: int,
    statuses: tuple[Status, ...] = CURRENT,
) -> Found:
    """Return (memory id, cosine) of the scope's `limit` nearest, best first."""
    return nearest_within(Reach(scope, statuses), vector, model_id, limit=limit)


def nearest_within(reach: Reach, vector: Vector, model_id: int, *, limit: int) -> Found:
    """Return the same of whatever `reach` allows; exact unless there is an index."""
    found = approximate(reach, vector, model_id, limit=limit)
    return exact(reach, vector, model_id, limit=limit) if found is None else found


def approximate(
    reach: Reach, vector: Vector, model_id: int, *, limit: int
) -> Found | None:
    """Return what an owner's own index finds, None where the exact search has to.

    It serves plain searches; not those with filters or a moment, nor when it yields
    less than was asked for.
    """
    is_plain = not reach.narrowing and reach.moment is None
    if not is_plain or limit > indexes.SEARCH_WIDTH:
        return None
    if not indexes.exists(reach.scope.owner, model_id):
        return None
    found = _approximate(reach, vector, model_id, limit)
    return found if len(found) == limit else None


def exact(reach: Reach, vector: Vector, model_id: int, *, limit: int) -> Found:
    """Return the true nearest by a scan of the owner's part of the covering index."""
    return fetch(*exact_statement(reach, vector, model_id, limit=limit))


def exact_statement(
    reach: Reach, vector: Vector, model_id: int, *, limit: int
) -> tuple[str, list[object]]:
    """Return the statement of `exact` with its values."""
    where = reach.of("v") & reach.at_moment("v")
    join = ""
    if reach.narrowing:
        join = JOIN_MEMORY.format(alias="v")
        where &= reach.of_memory()
    statement = (
        "SELECT v.memory_id, 1 - (v.vector <=> %s::halfvec) AS cosine"
        f" FROM memory_core_memoryvector v{join}"
        f" WHERE v.model_id = %s AND {where.text}"
        " ORDER BY cosine DESC LIMIT %s"
    )
    return statement, [vector_literal(vector), model_id, *where.values, limit]


def _approximate(reach: Reach, vector: Vector, model_id: int, limit: int) -> Found:
    """Search the owner's own index, which only a plan for just this owner can use."""
    where = reach.of("v")
    size = len(vector)
    distance = f"v.vector::halfvec({size}) <=> %s::halfvec({size})"
    literal = vector_literal(vector)
    run(indexes.SEARCH_SETTINGS)
    found = fetch(
        f"SELECT v.memory_id, 1 - ({distance}) FROM memory_core_memoryvector v"
        f" WHERE v.owner_id = {reach.scope.owner:d} AND v.model_id = {model_id:d}"
        f" AND {where.text} ORDER BY {distance} LIMIT {limit:d}",
        [literal, *where.values, literal],
    )
    run(indexes.AFTER_SEARCH)
    return found
