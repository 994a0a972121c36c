"""The scores and counts that recalls move: arithmetic in SQL, in batches."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import connection

from memory_core.contracts.enums import Status, Tier
from memory_core.contracts.touches import Note, moment
from memory_core.prepared import fetch
from memory_core.recall.gaining import Gains
from memory_core.recall.rows import POLICY
from memory_core.scoring.decay import DAY
from memory_core.scoring.reinforcement import KINSHIP_SHARE
from memory_core.scoring.sql import faded, share


def lock_uses(notes: Sequence[Note]) -> dict[UUID, datetime | None]:
    """Return when each touched memory last gained, and lock its use."""
    served = {s.memory_id for note in notes if note.touches for s in note.served}
    return dict(
        fetch(
            "SELECT memory_id, last_gain_at FROM memory_core_memoryuse"
            " WHERE memory_id = ANY(%s::uuid[]) ORDER BY memory_id FOR NO KEY UPDATE",
            [sorted(served)],
        )
    )


# As in `scoring.decay`, for the moment `t.at`.
HALVINGS = f"""date_part('epoch', t.at -
    CASE WHEN c.has_deadline AND m.expire_at IS NOT NULL THEN m.expire_at
      ELSE coalesce(u.last_accessed_at, m.observed_at) END)
    / {DAY.total_seconds()} / coalesce(o.half_life, c.half_life)"""
DECAY = f"""
CASE WHEN m.tier = '{Tier.PERMANENT.value}' THEN 1.0
  ELSE {share(HALVINGS)} END
"""
MOST_ACCESSES = 2**31 - 1  # what the column holds
GAIN = f"""
UPDATE memory_core_memoryuse u
SET base_score = least(1.0, {faded("u.base_score", DECAY)} + t.gain),
  access_count = least({MOST_ACCESSES}, u.access_count::bigint + t.accesses),
  last_accessed_at = greatest(u.last_accessed_at, t.at),
  last_gain_at = greatest(u.last_gain_at, t.at)
FROM unnest(%s::uuid[], %s::float8[], %s::int[], %s::timestamptz[])
    AS t(memory_id, gain, accesses, at)
  JOIN memory_core_memory m ON m.id = t.memory_id {POLICY}
WHERE u.memory_id = t.memory_id
"""


def write_gains(gains: Gains) -> int:
    """Add each memory's gain to its decayed base; return how many gained."""
    ordered = sorted(gains.by_memory.items())
    if not ordered:
        return 0
    with connection.cursor() as cursor:
        cursor.execute(
            GAIN,
            [
                [memory_id for memory_id, _ in ordered],
                [gain.base for _, gain in ordered],
                [gain.accesses for _, gain in ordered],
                [moment(gain.at) for _, gain in ordered],
            ],
        )
    return len(ordered)


# Linked to a returned memory, or with nearly the same vector. A memory that gained by
# itself in the same recall is not kept alive a second time.
KIN = f"""
WITH served AS (
  SELECT * FROM unnest(%s::int[], %s::uuid[], %s::float8[], %s::timestamptz[])
    AS s(note, memory_id, gain, at)),
near AS (
  SELECT * FROM unnest(%s::int[], %s::uuid[], %s::int[], %s::float8[])
    AS n(note, memory_id, model_id, cosine)),
kin AS (
  SELECT s.note, linked.id AS memory_id, s.gain, s.at FROM served s
    JOIN memory_core_memory m ON m.id = s.memory_id
    CROSS JOIN LATERAL unnest(m.related) AS linked(id)
  UNION
  SELECT s.note, n.memory_id, s.gain, s.at FROM served s
    JOIN near n ON n.note = s.note
    JOIN memory_core_memoryvector a
      ON a.memory_id = s.memory_id AND a.model_id = n.model_id
    JOIN memory_core_memoryvector b
      ON b.memory_id = n.memory_id AND b.model_id = n.model_id
        AND b.owner_id = a.owner_id
  WHERE 1 - (a.vector <=> b.vector) >= n.cosine),
best AS (
  SELECT note, memory_id, max(gain) AS gain, max(at) AS at FROM kin
  WHERE NOT EXISTS (SELECT FROM served s
    WHERE s.note = kin.note AND s.memory_id = kin.memory_id)
  GROUP BY note, memory_id),
t AS (SELECT memory_id, sum(gain) * {KINSHIP_SHARE} AS gain, max(at) AS at
  FROM best GROUP BY memory_id ORDER BY memory_id)
UPDATE memory_core_memoryuse u
SET base_score = least(1.0, u.base_score + t.gain / greatest({DECAY}, 1e-6))
FROM t JOIN memory_core_memory m
    ON m.id = t.memory_id AND m.status = {Status.ACTIVE:d} {POLICY}
WHERE u.memory_id = t.memory_id
"""


def write_kinship(gains: Gains) -> int:
    """Keep the kin of what a user's own words recalled alive; return how many."""
    if not gains.kin:
        return 0
    notes = {id(note): number for number, (note, _, _) in enumerate(gains.kin)}
    near = [
        (notes[key], memory_id, kinship.model_id, kinship.cosine)
        for key, kinship in {
            id(note): note.kinship for note, _, _ in gains.kin if note.kinship
        }.items()
        for memory_id in kinship.near
    ]
    served = [
        (notes[id(note)], found.memory_id, gain, moment(note.at))
        for note, found, gain in gains.kin
    ]
    columns = [list(column) for column in zip(*served, strict=True)]
    columns += [list(column) for column in zip(*near, strict=True)] or [[]] * 4
    with connection.cursor() as cursor:
        cursor.execute(KIN, columns)
        return int(cursor.rowcount)
