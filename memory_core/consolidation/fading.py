"""Memories whose time has passed, and memories that nobody has missed for long."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from memory_core.consolidation.stages import (
    Batch,
    Case,
    Note,
    Person,
    RunScope,
    locked,
    record,
)
from memory_core.contracts.enums import Status, Tier
from memory_core.prepared import fetch
from memory_core.recall.rows import POLICY
from memory_core.saving import transitions
from memory_core.scoring import DAY
from memory_core.scoring.sql import faded, share

BATCH = 500
HALF_LIVES = 2
"""How many half-lives a memory has to lie below its threshold, unrecalled."""

HALVINGS = f"""(date_part('epoch', %(now)s::timestamptz - coalesce(u.last_accessed_at,
  m.observed_at)) / {DAY.total_seconds()} / coalesce(o.half_life, c.half_life))"""
# As in `scoring.decay`, without the bonus.
SCORE = f"""greatest(coalesce(o.floor, c.floor),
  {faded("u.base_score", share(HALVINGS))})"""
BEFORE = f"""greatest(coalesce(o.floor, c.floor),
  {faded("u.base_score", share(f"{HALVINGS} - {HALF_LIVES}"))})"""

FROM = f"""
  FROM memory_core_memory m
  JOIN memory_core_memoryuse u ON u.memory_id = m.id
  JOIN memory_core_owner w ON w.id = m.owner_id {POLICY}
 WHERE m.namespace_id = %(space)s AND m.status = {Status.ACTIVE:d}
   AND (%(owner)s::bigint IS NULL OR m.owner_id = %(owner)s)
   AND (%(only)s::uuid[] IS NULL OR m.id = ANY(%(only)s))
   AND (%(after)s::uuid IS NULL OR m.id > %(after)s)
"""
EXPIRED = f"""
SELECT m.id, m.owner_id, w.external_id, m.expire_at {FROM}
   AND m.expire_at <= %(now)s
 ORDER BY m.id LIMIT {BATCH}
"""
FADED = f"""
SELECT m.id, m.owner_id, w.external_id, c.name, {SCORE}, u.access_count,
       coalesce(o.archive_below, c.archive_below), coalesce(o.half_life, c.half_life),
       coalesce(u.last_accessed_at, m.observed_at) {FROM}
   AND m.tier <> '{Tier.PERMANENT.value}'
   AND NOT (c.has_deadline AND m.expire_at IS NOT NULL)
   AND coalesce(CASE WHEN o.id IS NULL THEN c.archives_after ELSE o.archives_after END
     <= %(now)s, true)
   AND {HALVINGS} >= {HALF_LIVES}
   AND {BEFORE} < coalesce(o.archive_below, c.archive_below)
 ORDER BY m.id LIMIT {BATCH}
"""

Row = tuple[Any, ...]


def look_for_expired(run_scope: RunScope, after: UUID | None) -> Batch:
    """Return the active memories whose `expire_at` has passed."""
    return _look(EXPIRED, _expired, transitions.expire, run_scope, after)


def look_for_faded(run_scope: RunScope, after: UUID | None) -> Batch:
    """Return the memories that have lain below `archive_below` for two half-lives.

    Counted without the bonus for recalls, and only if none came in that time. The
    deadline of a task is not here: what has one is expired instead.
    """
    return _look(FADED, _faded, transitions.archive, run_scope, after)


@dataclass(frozen=True, slots=True)
class Retirement:
    """Memories of one owner that move to another state together."""

    person: Person
    rows: Sequence[Row]
    select: str
    explain: Callable[[Row], Case]
    move: Callable[..., int]

    def foresee(self) -> Sequence[Case]:
        """Return the move of each memory, with the numbers that speak for it."""
        return [self.explain(row) for row in self.rows]

    def act(self, run_scope: RunScope, note: Note) -> None:
        """Move those for which it still holds, since a recall may have come."""
        with locked(self.person, run_scope):
            rows = _rows(self.select, run_scope, only=[row[0] for row in self.rows])
            self.move([row[0] for row in rows], now=run_scope.now)
            cases = [self.explain(row) for row in rows]
            for case in cases:
                record(case, self.person, run_scope)
            note(cases)


def _look(
    select: str,
    explain: Callable[[Row], Case],
    move: Callable[..., int],
    run_scope: RunScope,
    after: UUID | None,
) -> Batch:
    rows = _rows(select, run_scope, after=after)
    owners: dict[Person, list[Row]] = defaultdict(list)
    for row in rows:
        owners[Person(row[1], row[2])].append(row)
    items = [
        Retirement(person, found, select, explain, move)
        for person, found in owners.items()
    ]
    return Batch(items, len(rows), rows[-1][0] if len(rows) == BATCH else None)


def _rows(
    select: str,
    run_scope: RunScope,
    *,
    only: Sequence[UUID] | None = None,
    after: UUID | None = None,
) -> list[Row]:
    values = {
        "space": run_scope.space.id,
        "owner": run_scope.owner,
        "only": only if only is None else list(only),
        "after": after,
        "now": run_scope.now,
    }
    return fetch(select, values)


def _expired(row: Row) -> Case:
    return {
        "action": "expired",
        "memory_id": str(row[0]),
        "expire_at": row[3].isoformat(),
    }


def _faded(row: Row) -> Case:
    identity, _, _, category, score, accesses, threshold, half_life, since = row
    return {
        "action": "archived",
        "memory_id": str(identity),
        "category": category,
        "score": round(score, 6),
        "archive_below": threshold,
        "half_life_days": half_life,
        "unrecalled_since": since.isoformat(),
        "access_count": accesses,
    }
