"""`storage.insert` for many memories of one owner at once: one statement for all."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
from psycopg.types.json import Jsonb

from memory_core.contracts.enums import EmbeddingState, Status
from memory_core.contracts.relation import Vector
from memory_core.lexical import terms
from memory_core.models import Memory
from memory_core.prepared import fetch, run
from memory_core.saving.storage import (
    MOST_OF_ONE_TERM,
    Placed,
    Strength,
    as_json,
    columns_of,
)
from memory_core.saving.vectors import as_text

INSERT = """
WITH row_ AS (
  INSERT INTO memory_core_memory
  SELECT new.* FROM jsonb_populate_recordset(NULL::memory_core_memory, %(rows)s) new
  RETURNING id, owner_id, namespace_id, category_id, status, observed_at, until),
use_ AS (
  INSERT INTO memory_core_memoryuse
    (memory_id, owner_id, base_score, last_accessed_at, access_count)
  SELECT u.id, row_.owner_id, u.base, u.accessed, u.count
    FROM unnest(%(ids)s::uuid[], %(bases)s::float8[], %(accessed)s::timestamptz[],
                %(counts)s::int[]) AS u (id, base, accessed, count)
    JOIN row_ ON row_.id = u.id),
vector_ AS (
  INSERT INTO memory_core_memoryvector
    (memory_id, model_id, owner_id, namespace_id, category_id, status, observed_at,
     until, vector)
  SELECT v.id, v.model, row_.owner_id, row_.namespace_id, row_.category_id,
         row_.status, row_.observed_at, row_.until, v.vector::halfvec
    FROM unnest(%(placed)s::uuid[], %(models)s::smallint[],
                string_to_array(%(vectors)s, E'\n')) AS v (id, model, vector)
    JOIN row_ ON row_.id = v.id),
terms_ AS (
  INSERT INTO memory_core_memoryterm
    (owner_id, term, memory_id, namespace_id, status, tf, len)
  SELECT row_.owner_id, one.term, t.id, row_.namespace_id, row_.status,
         one.tf::smallint, t.len
    FROM unnest(%(ids)s::uuid[], string_to_array(%(terms)s, E'\n'),
                %(lengths)s::int[]) AS t (id, terms, len)
    JOIN row_ ON row_.id = t.id, json_each_text(t.terms::json) AS one (term, tf))
INSERT INTO memory_core_corpus AS corpus (owner_id, namespace_id, memories, length)
SELECT row_.owner_id, row_.namespace_id, count(*) FILTER (WHERE row_.status = 1),
       coalesce(sum(l.len) FILTER (WHERE row_.status = 1), 0)
  FROM row_ JOIN unnest(%(ids)s::uuid[], %(lengths)s::int[]) AS l (id, len)
    ON l.id = row_.id
 GROUP BY row_.owner_id, row_.namespace_id
ON CONFLICT (owner_id, namespace_id) DO UPDATE
   SET memories = corpus.memories + excluded.memories,
       length = corpus.length + excluded.length
"""
# Only rows that came in as retired are tied to what retired them.
RETIRE = f"""
WITH tied AS (
  UPDATE memory_core_memory m
     SET {{column}} = t.by, until = t.until
    FROM unnest(%(ids)s::uuid[], %(by)s::uuid[], %(until)s::timestamptz[])
         AS t (id, by, until)
   WHERE m.id = t.id AND m.id <> t.by AND m.status = {Status.SUPERSEDED:d}
     AND m.owner_id = %(owner)s AND m.namespace_id = %(space)s
     AND m.superseded_by_id IS NULL AND m.merged_into_id IS NULL
  RETURNING m.id, m.until)
UPDATE memory_core_memoryvector v SET until = tied.until
  FROM tied WHERE v.memory_id = tied.id
"""
# Links that somebody has set meanwhile stand.
RELATE = """
UPDATE memory_core_memory SET related = %s::uuid[]
 WHERE id = %s AND owner_id = %s AND namespace_id = %s AND related = '{}'
"""

# The lock makes a status that is just changing wait, so that row and vector agree.
PLACE = """
WITH row_ AS (
  SELECT m.id, m.owner_id, m.namespace_id, m.category_id, m.status, m.observed_at,
         m.until, t.vector
    FROM unnest(%(ids)s::uuid[], %(digests)s::bytea[],
                string_to_array(%(vectors)s, E'\n')) AS t (id, digest, vector)
    JOIN memory_core_memory m ON m.id = t.id AND m.content_digest = t.digest
   ORDER BY m.id FOR SHARE OF m),
placed AS (
  INSERT INTO memory_core_memoryvector
    (memory_id, model_id, owner_id, namespace_id, category_id, status, observed_at,
     until, vector)
  SELECT id, %(model)s, owner_id, namespace_id, category_id, status, observed_at, until,
         vector::halfvec FROM row_
  ON CONFLICT DO NOTHING RETURNING memory_id)
SELECT count(*) FROM placed
"""


@dataclass(frozen=True, slots=True)
class Load:
    """An unsaved memory with what belongs to it."""

    memory: Memory
    strength: Strength
    placed: Placed | None


@dataclass(frozen=True, slots=True)
class Tie:
    """A retired memory, what retired it and since when."""

    memory_id: UUID
    by: UUID
    until: datetime


def insert_many(loads: Sequence[Load]) -> None:
    """Store unsaved memories; those without a vector are found by words meanwhile.

    Raises IntegrityError when a constraint of the tables does not hold.
    """
    if not loads:
        return
    for one in loads:
        state = EmbeddingState.READY if one.placed else EmbeddingState.QUEUED
        one.memory.embedding = state.value
    rows = [columns_of(one.memory) for one in loads]
    values: dict[str, Any] = {
        "rows": Jsonb(rows, dumps=as_json),
        "ids": [one.memory.pk for one in loads],
        "bases": [one.strength.base for one in loads],
        "accessed": [one.strength.last_accessed_at for one in loads],
        "counts": [one.strength.access_count for one in loads],
        **_vectors(loads),
        **_terms(loads),
    }
    run(INSERT, values)


def tie(ties: Sequence[Tie], *, merged: bool, owner: int, namespace: int) -> None:
    """Say of retired memories what superseded them, or what they were merged into."""
    if not ties:
        return
    column = "merged_into_id" if merged else "superseded_by_id"
    values = {
        "ids": [one.memory_id for one in ties],
        "by": [one.by for one in ties],
        "until": [one.until for one in ties],
        "owner": owner,
        "space": namespace,
    }
    run(RETIRE.format(column=column), values)


def relate(
    memory_id: UUID, related: Sequence[UUID], *, owner: int, namespace: int
) -> None:
    """Set the links of a memory that has none."""
    run(RELATE, [list(related), memory_id, owner, namespace])


def moments(
    memory_ids: Sequence[UUID], *, owner: int, namespace: int
) -> dict[UUID, datetime]:
    """Return when those of the memories that the owner has there were observed."""
    return dict(
        fetch(
            "SELECT id, observed_at FROM memory_core_memory"
            " WHERE id = ANY(%s::uuid[]) AND owner_id = %s AND namespace_id = %s",
            [list(memory_ids), owner, namespace],
        )
    )


def _vectors(loads: Sequence[Load]) -> dict[str, Any]:
    placed = [(one.memory.pk, one.placed) for one in loads if one.placed]
    return {
        "placed": [pk for pk, _ in placed],
        "models": [one.model_id for _, one in placed],
        "vectors": _lines(as_text(one.vector) for _, one in placed),
    }


def _terms(loads: Sequence[Load]) -> dict[str, Any]:
    found = [
        terms(one.memory.content, one.memory.occurred_at or one.memory.observed_at)
        for one in loads
    ]
    return {
        "lengths": [counted.length for counted in found],
        "terms": _lines(_as_json(counted.counts) for counted in found),
    }


def _as_json(counts: Mapping[str, int]) -> str:
    kept = {term: min(n, MOST_OF_ONE_TERM) for term, n in counts.items()}
    return orjson.dumps(kept).decode()


def _lines(texts: Iterable[str]) -> str:
    """Return texts without line breaks as one value: psycopg is slow with arrays."""
    return "\n".join(texts)


def place_many(model_id: int, found: Sequence[tuple[UUID, bytes, Vector]]) -> int:
    """Give memories their vectors in a space; return how many got one.

    Each comes with the digest of the text that was embedded: one that has other words
    by now, or is gone, gets none.
    """
    values = {
        "ids": [pk for pk, _, _ in found],
        "digests": [digest for _, digest, _ in found],
        "vectors": _lines(as_text(vector) for _, _, vector in found),
        "model": model_id,
    }
    count: int = fetch(PLACE, values)[0][0]
    return count
