"""What ranking and the checks need of each candidate, in one read."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import NamedTuple
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from memory_core.contracts.categories import Tried
from memory_core.contracts.enums import Status, Tier
from memory_core.prepared import fetch
from memory_core.recall.reach import Reach
from memory_core.recall.sql import ids_literal, vector_literal
from memory_core.scoring.arrays import Strengths


class Row(NamedTuple):
    """One candidate; times are in seconds since 1970, `half_life` in days."""

    id: UUID
    namespace_id: int
    content: str
    subject: str
    status: int
    tier: str
    category: str
    confidence: float
    session_id: str
    position: int | None
    observed_at: float
    expire_at: float | None
    archived_at: float | None
    base_score: float
    accessed_at: float | None
    access_count: int
    half_life: float
    floor: float
    bonus_cap: float
    archive_below: float
    has_deadline: bool
    source_kind: str
    source_trust: str
    rules_version: str
    verdict_tags: str | None
    is_approved: bool
    related: list[UUID]
    cosine: float | None


POLICY = """
 JOIN memory_core_category c ON c.id = m.category_id
 LEFT JOIN memory_core_categoryoverride o
   ON o.category_id = m.category_id AND o.namespace_id = m.namespace_id
"""

TRUST = """CASE WHEN s.blocked_at IS NOT NULL
  AND (s.blocked_until IS NULL OR s.blocked_until > now()) THEN 'blocked'
  ELSE s.trust END"""

CANDIDATES = f"""
SELECT m.id, m.namespace_id, m.content, m.subject, m.status, m.tier, c.name,
  m.confidence, m.session_id, m.position, date_part('epoch', m.observed_at),
  date_part('epoch', m.expire_at), date_part('epoch', m.archived_at),
  u.base_score, date_part('epoch', u.last_accessed_at), u.access_count,
  coalesce(o.half_life, c.half_life), coalesce(o.floor, c.floor),
  coalesce(o.bonus_cap, c.bonus_cap), coalesce(o.archive_below, c.archive_below),
  c.has_deadline, s.kind, {TRUST}, m.rules_version, m.verdict ->> 'tags',
  m.reviewed_at IS NOT NULL, m.related,
  CASE WHEN m.id = ANY(%s::uuid[]) THEN (
    SELECT 1 - (v.vector <=> %s::halfvec) FROM memory_core_memoryvector v
    WHERE v.memory_id = m.id AND v.model_id = %s) END
FROM memory_core_memory m
 JOIN memory_core_memoryuse u ON u.memory_id = m.id
 JOIN memory_core_source s ON s.id = m.source_id {POLICY}
WHERE m.id = ANY(%s::uuid[])
"""


def fetch_rows(
    reach: Reach,
    memory_ids: Iterable[UUID],
    vector: NDArray[np.float32] | None,
    model_id: int | None,
    *,
    compared: Iterable[UUID],
) -> list[Row]:
    """Return the rows of the given memories that are within `reach`.

    `cosine` is their vectors' to `vector` in the space `model_id`, None without one
    and for those not to be `compared`: a vector lies far from the rest of its row.
    """
    where = reach.of("m") & reach.at_moment("m")
    asked = None if vector is None else vector_literal(vector)
    seen = ids_literal(compared)
    values = [seen, asked, model_id, ids_literal(memory_ids), *where.values]
    rows = list(map(Row._make, fetch(f"{CANDIDATES} AND {where.text}", values)))
    return rows if reach.tried is None else [_tried(row, reach.tried) for row in rows]


def _tried(row: Row, tried: Tried) -> Row:
    """Return the row with the half-life that a back-test tries."""
    if not tried.is_about(row.category, row.namespace_id):
        return row
    return row._replace(**asdict(tried.settings))


def is_current(row: Row, reach: Reach, *, now: float) -> bool:
    """Return whether a row counts at `now`, which its index entries cannot tell.

    What ended only after the moment of an `as_of` was still there at that moment.
    """
    if row.expire_at is not None and row.expire_at <= now:
        return False
    if row.status == Status.ARCHIVED and reach.moment is not None:
        return row.archived_at is None or row.archived_at > now
    return row.status != Status.EXPIRED or row.expire_at is not None


def strengths_of(rows: Sequence[Row]) -> Strengths:
    """Return what the live scores of `rows` are computed from."""
    nan = float("nan")
    since = [r.observed_at if r.accessed_at is None else r.accessed_at for r in rows]
    deadline = [r.expire_at if r.has_deadline else None for r in rows]
    return Strengths(
        base=np.array([r.base_score for r in rows], dtype=np.float64),
        since=np.array(since, dtype=np.float64),
        accesses=np.array([r.access_count for r in rows], dtype=np.float64),
        permanent=np.array([r.tier == Tier.PERMANENT for r in rows], dtype=np.bool_),
        deadline=np.array(
            [nan if d is None else d for d in deadline], dtype=np.float64
        ),
        half_life=np.array([r.half_life for r in rows], dtype=np.float64),
        floor=np.array([r.floor for r in rows], dtype=np.float64),
        bonus_cap=np.array([r.bonus_cap for r in rows], dtype=np.float64),
    )
