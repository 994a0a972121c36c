"""Moves between states: the row, its vectors, its terms and the corpus in one step.

Every move returns how many memories it found.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from memory_core.contracts.enums import Status
from memory_core.prepared import fetch

MOVE = """
WITH before AS (
  SELECT m.id, m.owner_id, m.namespace_id, m.status,
         (SELECT t.len FROM memory_core_memoryterm t WHERE t.memory_id = m.id LIMIT 1)
           AS len
    FROM memory_core_memory m WHERE m.id = ANY(%(ids)s::uuid[])
   ORDER BY m.id FOR UPDATE),
moved AS (
  UPDATE memory_core_memory m SET status = %(status)s, updated_at = %(now)s {sets}
    FROM before b WHERE m.id = b.id RETURNING m.id, m.owner_id, m.until),
vectors AS (
  UPDATE memory_core_memoryvector v SET status = %(status)s, until = moved.until
    FROM moved WHERE v.memory_id = moved.id),
words AS (
  UPDATE memory_core_memoryterm t SET status = %(status)s
    FROM before b WHERE t.memory_id = b.id),
change AS (
  SELECT owner_id, namespace_id,
         sum(gain) AS memories, sum(gain * coalesce(len, 0)) AS length
    FROM (SELECT *, (%(status)s::int = 1)::int - (status = 1)::int AS gain
            FROM before) AS gained
   GROUP BY owner_id, namespace_id),
corpus AS (
  UPDATE memory_core_corpus c
     SET memories = c.memories + change.memories, length = c.length + change.length
    FROM change
   WHERE c.owner_id = change.owner_id AND c.namespace_id = change.namespace_id)
SELECT count(*) FROM moved
"""


def supersede(
    memory_ids: Sequence[UUID], *, by: UUID, until: datetime, now: datetime
) -> int:
    """Mark memories as no longer current from `until`, the successor's moment."""
    values = {"superseded_by_id": by, "until": until}
    return _move(memory_ids, Status.SUPERSEDED, values, now=now)


def merge(
    memory_ids: Sequence[UUID], *, into: UUID, until: datetime, now: datetime
) -> int:
    """Retire memories into a survivor that says what they said; they stay whole."""
    values = {"merged_into_id": into, "until": until}
    return _move(memory_ids, Status.SUPERSEDED, values, now=now)


def activate(memory_ids: Sequence[UUID], *, now: datetime) -> int:
    """Make memories current again, whatever had retired them."""
    values = dict.fromkeys(
        ("superseded_by_id", "merged_into_id", "until", "archived_at")
    )
    return _move(memory_ids, Status.ACTIVE, values, now=now)


def hold(memory_ids: Sequence[UUID], *, now: datetime) -> int:
    """Take memories out of recall until a person has decided."""
    values = dict.fromkeys(("superseded_by_id", "merged_into_id", "until"))
    return _move(memory_ids, Status.PENDING, values, now=now)


def reject(memory_ids: Sequence[UUID], *, now: datetime) -> int:
    """Take memories out of recall for good: a person said no."""
    return _move(memory_ids, Status.REJECTED, {}, now=now)


def archive(memory_ids: Sequence[UUID], *, now: datetime) -> int:
    """Put faded memories away; they can be restored."""
    return _move(memory_ids, Status.ARCHIVED, {"archived_at": now}, now=now)


def expire(memory_ids: Sequence[UUID], *, now: datetime) -> int:
    """Take memories out of recall whose time, set beforehand, is over."""
    return _move(memory_ids, Status.EXPIRED, {}, now=now)


def _move(
    memory_ids: Sequence[UUID],
    status: Status,
    values: Mapping[str, Any],
    *,
    now: datetime,
) -> int:
    """Set status and columns of memories; return how many there were."""
    if not memory_ids:
        return 0
    sets = "".join(f", {column} = %({column})s" for column in values)
    rows = fetch(
        MOVE.format(sets=sets),
        {"ids": list(memory_ids), "status": status.value, "now": now, **values},
    )
    count: int = rows[0][0]
    return count
