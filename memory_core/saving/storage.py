"""The only place where memories are inserted, moved between states and removed.

A memory is five things: its row, its vector, its terms, its use and a share in its
owner's corpus. They change together, in one statement each, so that what a search
reads from its covering indexes is never another thing than the row.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection
from psycopg.types.json import Jsonb

from memory_core.contracts.enums import EmbeddingState
from memory_core.contracts.relation import Vector
from memory_core.lexical import terms
from memory_core.models import Memory
from memory_core.prepared import run
from memory_core.saving.vectors import as_text


@dataclass(frozen=True, slots=True)
class Strength:
    """With what a memory starts: base score in [0, 1] and the use it has seen."""

    base: float
    last_accessed_at: datetime | None = None
    access_count: int = 0


@dataclass(frozen=True, slots=True)
class Placed:
    """A vector and the space in which it means something."""

    vector: Vector
    model_id: int


# A row goes over as one JSON value: psycopg keeps no statement of so many parameters.
NEW_ROW = """
row_ AS (INSERT INTO memory_core_memory
  SELECT new.* FROM jsonb_populate_record(NULL::memory_core_memory, %(row)s) AS new
  RETURNING id, owner_id, namespace_id, category_id, status, observed_at, until),
use_ AS (INSERT INTO memory_core_memoryuse
  (memory_id, owner_id, base_score, last_accessed_at, access_count)
  SELECT id, owner_id, %(base)s, %(accessed)s::timestamptz, %(count)s FROM row_)
"""
OLD_ROW = """
row_ AS (
  SELECT id, owner_id, namespace_id, category_id, status, observed_at, until
    FROM memory_core_memory WHERE id = %(id)s)
"""
VECTOR = """
vector_ AS (INSERT INTO memory_core_memoryvector
  (memory_id, model_id, owner_id, namespace_id, category_id, status, observed_at,
   until, vector)
  SELECT id, %(model)s, owner_id, namespace_id, category_id, status, observed_at,
         until, %(vector)s::halfvec FROM row_
  ON CONFLICT DO NOTHING)
"""
TERMS = """
terms_ AS (INSERT INTO memory_core_memoryterm
  (owner_id, term, memory_id, namespace_id, status, tf, len)
  SELECT owner_id, key, id, namespace_id, status, value::smallint, %(length)s
    FROM row_, jsonb_each_text(%(terms)s))
"""
CORPUS = """
INSERT INTO memory_core_corpus AS corpus (owner_id, namespace_id, memories, length)
SELECT owner_id, namespace_id, (status = 1)::int, (status = 1)::int * %(length)s
  FROM row_
ON CONFLICT (owner_id, namespace_id) DO UPDATE
   SET memories = corpus.memories + excluded.memories,
       length = corpus.length + excluded.length
"""
READY = """
UPDATE memory_core_memory SET embedding = 'ready' WHERE id = %(id)s
"""
COLUMNS = [(str(field.column), field.attname) for field in Memory._meta.concrete_fields]
MOST_OF_ONE_TERM = 32_767  # what the column holds


def insert(
    memory: Memory,
    *,
    strength: Strength,
    placed: Placed | None,
) -> None:
    """Store an unsaved memory; without a vector it is found by words meanwhile.

    Raises IntegrityError when a constraint of the tables does not hold.
    """
    memory.embedding = _embedding_state(placed)
    values = {
        "row": Jsonb(columns_of(memory), dumps=as_json),
        "base": strength.base,
        "accessed": strength.last_accessed_at,
        "count": strength.access_count,
    }
    _index(NEW_ROW, memory, placed, values)


def reindex(memory: Memory, *, placed: Placed | None, keep_vectors: bool) -> None:
    """Save a changed row and make its terms and vectors anew.

    With `keep_vectors` the text is the old one and only what the vectors carry along
    follows; otherwise they are replaced by `placed`, or by none until the queue has
    made one.
    """
    if not keep_vectors:
        memory.embedding = _embedding_state(placed)
    _withdraw(memory, vectors=not keep_vectors)
    memory.save(force_update=True)
    if keep_vectors:
        _follow(memory)
    _index(OLD_ROW, memory, placed, {"id": memory.pk})


def place(memory: Memory, placed: Placed) -> None:
    """Give a stored memory the vector that it was waiting for."""
    values = {"id": memory.pk, **_vector_values(placed)}
    run(f"WITH {OLD_ROW}, {VECTOR} {READY}", values)


def remove(memory_ids: Sequence[UUID]) -> int:
    """Delete memories with everything that belongs to them; return how many.

    Originals that were merged into one of them go too: they say the same.
    """
    gone = family(memory_ids)
    remove_exactly(gone)
    return len(gone)


def remove_exactly(memory_ids: Sequence[UUID]) -> None:
    """Delete locked memories; what was merged into one of them may stay without it."""
    if not memory_ids:
        return
    gone = list(memory_ids)
    with connection.cursor() as cursor:
        cursor.execute(SHRINK, {"ids": gone})
        cursor.execute(PART, [gone, gone])
        for statement in REMOVALS:
            cursor.execute(statement, [gone])


def family(memory_ids: Sequence[UUID]) -> list[UUID]:
    """Return the memories, locked, with all that was merged into them."""
    with connection.cursor() as cursor:
        cursor.execute(FAMILY, [list(memory_ids)])
        return [row[0] for row in cursor.fetchall()]


def _embedding_state(placed: Placed | None) -> str:
    return (EmbeddingState.READY if placed else EmbeddingState.QUEUED).value


def _index(
    row: str, memory: Memory, placed: Placed | None, values: dict[str, Any]
) -> None:
    counted = terms(memory.content, memory.occurred_at or memory.observed_at)
    kept = {term: min(n, MOST_OF_ONE_TERM) for term, n in counted.counts.items()}
    values |= {"terms": Jsonb(kept, dumps=as_json), "length": counted.length}
    if placed:
        values |= _vector_values(placed)
    steps = [row, VECTOR, TERMS] if placed else [row, TERMS]
    run(f"WITH {', '.join(steps)} {CORPUS}", values)


def _vector_values(placed: Placed) -> dict[str, Any]:
    return {"model": placed.model_id, "vector": as_text(placed.vector)}


def columns_of(memory: Memory) -> dict[str, Any]:
    """Return the row of a memory, by column."""
    return {column: getattr(memory, name) for column, name in COLUMNS}


def as_json(value: Any) -> str:
    """Return a row as JSON that PostgreSQL makes a record of."""
    return json.dumps(value, ensure_ascii=False, default=_plain)


def _plain(value: object) -> str:
    """Bytes as PostgreSQL writes them, ids and times as text."""
    return f"\\x{value.hex()}" if isinstance(value, bytes) else str(value)


def _withdraw(memory: Memory, *, vectors: bool) -> None:
    with connection.cursor() as cursor:
        cursor.execute(SHRINK, {"ids": [memory.pk]})
        cursor.execute(
            "DELETE FROM memory_core_memoryterm WHERE memory_id = %s", [memory.pk]
        )
        if vectors:
            cursor.execute(
                "DELETE FROM memory_core_memoryvector WHERE memory_id = %s", [memory.pk]
            )


def _follow(memory: Memory) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE memory_core_memoryvector SET category_id = %s, status = %s,"
            " observed_at = %s, until = %s WHERE memory_id = %s",
            [
                memory.category_id,
                memory.status,
                memory.observed_at,
                memory.until,
                memory.pk,
            ],
        )


FAMILY = """
WITH RECURSIVE family AS (
  SELECT id FROM memory_core_memory WHERE id = ANY(%s)
  UNION
  SELECT m.id FROM memory_core_memory m JOIN family f ON m.merged_into_id = f.id)
SELECT id FROM memory_core_memory WHERE id IN (SELECT id FROM family)
 ORDER BY id FOR UPDATE
"""
# Takes active memories out of their corpora; their terms must still be there.
SHRINK = """
WITH gone AS (
  SELECT m.owner_id, m.namespace_id, count(*) AS memories,
         coalesce(sum((SELECT t.len FROM memory_core_memoryterm t
                        WHERE t.memory_id = m.id LIMIT 1)), 0) AS length
    FROM memory_core_memory m WHERE m.id = ANY(%(ids)s) AND m.status = 1
   GROUP BY m.owner_id, m.namespace_id)
UPDATE memory_core_corpus corpus
   SET memories = corpus.memories - gone.memories,
       length = corpus.length - gone.length
  FROM gone
 WHERE corpus.owner_id = gone.owner_id AND corpus.namespace_id = gone.namespace_id
"""
PART = """
UPDATE memory_core_memory SET merged_into_id = NULL
 WHERE merged_into_id = ANY(%s) AND id <> ALL(%s)
"""
REMOVALS = (
    "DELETE FROM memory_core_memoryversion WHERE memory_id = ANY(%s)",
    "DELETE FROM memory_core_memoryvector WHERE memory_id = ANY(%s)",
    "DELETE FROM memory_core_memoryterm WHERE memory_id = ANY(%s)",
    "DELETE FROM memory_core_memoryuse WHERE memory_id = ANY(%s)",
    "DELETE FROM memory_core_feedback WHERE memory_id = ANY(%s)",
    "UPDATE memory_core_memory SET superseded_by_id = NULL"
    " WHERE superseded_by_id = ANY(%s)",
    "DELETE FROM memory_core_memory WHERE id = ANY(%s)",
)
