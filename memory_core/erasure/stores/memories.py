"""The memories of the person, with all that belongs to a memory."""

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from django.db import connection

from memory_core import locks
from memory_core.contracts.enums import Status
from memory_core.contracts.erasure import Holds, Stage, Step, StoreCount, Subject
from memory_core.erasure.holds import Columns, condition
from memory_core.erasure.stores.tables import Table, counted
from memory_core.models import Memory, MemoryVersion
from memory_core.saving import storage

AT_ONCE = 500
COLUMNS = Columns(namespace="namespace_id", memory="id")
SOME = """
SELECT id, source_id FROM memory_core_memory
 WHERE owner_id = %s AND namespace_id = %s AND NOT {held}
 ORDER BY id LIMIT {limit} FOR UPDATE
"""
PLACES = """
SELECT DISTINCT owner_id, namespace_id FROM memory_core_memory
 WHERE owner_id = ANY(%s::bigint[]) AND NOT {held} ORDER BY 1, 2
"""
# What a user is called as a source says who they are; nobody else needs the name.
LOCK_SOURCES = """
SELECT id FROM memory_core_source WHERE id = ANY(%s) ORDER BY id FOR UPDATE
"""
DROP_SOURCES = """
DELETE FROM memory_core_source s WHERE s.id = ANY(%s) AND s.kind = 'user_input'
   AND s.name <> '' AND s.blocked_at IS NULL
   AND NOT EXISTS (SELECT FROM memory_core_memory m WHERE m.source_id = s.id)
"""


class Memories:
    """Rows, vectors, terms, uses, versions and feedback, by the one removing door."""

    store = "memories"
    stage = Stage.MEMORIES
    covers = ("memory_core.memory.*", "memory_core.source.name")
    _table = Table(store, stage, Memory, COLUMNS)

    def count(self, subject: Subject, holds: Holds) -> StoreCount:
        """Return how many memories there are, and how many of them are held."""
        return self._table.count(subject, holds)

    def erase(self, subject: Subject, holds: Holds) -> Step:
        """Remove some hundred memories of one owner in one namespace."""
        place = self._place(subject, holds)
        if place is None:
            return Step(held=self.count(subject, holds).keep)
        owner, namespace = place
        locks.lock_owner(owner=owner, namespace=namespace)
        held, values = condition(COLUMNS, holds)
        with connection.cursor() as cursor:
            statement = SOME.format(held=held, limit=AT_ONCE)
            cursor.execute(statement, [owner, namespace, *values])
            rows = cursor.fetchall()
        ids = [row[0] for row in rows]
        storage.remove_exactly(ids)
        _drop_unused_sources(sorted({row[1] for row in rows}))
        return Step(erased=len(ids), is_done=False, memory_ids=tuple(ids))

    def residue(self, subject: Subject, holds: Holds) -> int:
        """Return how many memories are left that are not held."""
        return self._table.residue(subject, holds)

    def records(self, subject: Subject) -> Iterator[Mapping[str, object]]:
        """Yield each memory as the person may know it, the oldest first."""
        rows = Memory.unscoped.filter(owner__in=subject.rows).select_related(
            "namespace", "category", "source"
        )
        for memory in rows.order_by("pk").iterator(chunk_size=AT_ONCE):
            yield _record(memory)

    def _place(self, subject: Subject, holds: Holds) -> tuple[int, int] | None:
        held, values = condition(COLUMNS, holds)
        with connection.cursor() as cursor:
            statement = f"{PLACES.format(held=held)} LIMIT 1"
            cursor.execute(statement, [list(subject.rows), *values])
            found: tuple[int, int] | None = cursor.fetchone()
        return found


def _drop_unused_sources(sources: list[int]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(LOCK_SOURCES, [sources])
        cursor.execute(DROP_SOURCES, [sources])


def _record(memory: Memory) -> dict[str, Any]:
    return {
        "memory_id": memory.pk,
        "namespace": memory.namespace.name,
        "category": memory.category.name,
        "status": Status(memory.status).word,
        "content": memory.content,
        "subject": memory.subject,
        "entities": memory.entities,
        "tags": memory.tags,
        "metadata": memory.metadata,
        "source_kind": memory.source.kind,
        "source_name": memory.source.name,
        "is_inferred": memory.source.kind == "inference",
        "observed_at": memory.observed_at,
        "created_at": memory.created_at,
    }


class Derived:
    """Other owners' memories that were made of the person's."""

    store = "derived_memories"
    stage = Stage.DERIVED
    covers = ("memory_core.memory.derived_from",)

    def count(self, subject: Subject, holds: Holds) -> StoreCount:
        """Return how many there are, and how many of them are held."""
        free, every = self._ids(subject, holds), self._ids(subject, Holds())
        return counted(self.store, len(every), len(every) - len(free))

    def erase(self, subject: Subject, holds: Holds) -> Step:
        """Remove them all: there are few."""
        ids = self._ids(subject, holds, lock="FOR UPDATE OF m")
        storage.remove_exactly(ids)
        held = self.count(subject, holds).keep
        return Step(erased=len(ids), held=held, memory_ids=tuple(ids))

    def residue(self, subject: Subject, holds: Holds) -> int:
        """Return how many are left that are not held."""
        return len(self._ids(subject, holds))

    def records(self, subject: Subject) -> Iterator[Mapping[str, object]]:
        """Yield nothing: they belong to other people."""
        yield from ()

    def _ids(self, subject: Subject, holds: Holds, lock: str = "") -> list[UUID]:
        held, values = condition(Columns("m.owner_id", "m.namespace_id", "m.id"), holds)
        rows = list(subject.rows)
        with connection.cursor() as cursor:
            cursor.execute(DERIVED.format(held=held, lock=lock), [rows, rows, *values])
            return [row[0] for row in cursor.fetchall()]


class Versions:
    """What the memories said before; they go with their memories."""

    store = "versions"
    stage = Stage.MEMORIES
    covers: tuple[str, ...] = ("memory_core.memoryversion.*",)

    def count(self, subject: Subject, holds: Holds) -> StoreCount:
        """Return how many there are, and how many are of held memories."""
        held, values = condition(Columns("m.owner_id", "m.namespace_id", "m.id"), holds)
        with connection.cursor() as cursor:
            statement = VERSIONS.format(held=held)
            cursor.execute(statement, [*values, list(subject.rows)])
            matched, kept = cursor.fetchone()
        return counted(self.store, matched, kept)

    def erase(self, subject: Subject, holds: Holds) -> Step:
        """Say what is held: the door of memories has removed the others."""
        left = self.count(subject, holds)
        return Step(held=left.keep, is_done=not left.erase)

    def residue(self, subject: Subject, holds: Holds) -> int:
        """Return how many are left that are not held."""
        return self.count(subject, holds).erase

    def records(self, subject: Subject) -> Iterator[Mapping[str, object]]:
        """Yield memory, text and time of each, the oldest first."""
        rows = MemoryVersion.objects.filter(memory__owner__in=subject.rows)
        yield from rows.order_by("pk").values(
            "memory_id", "event", "content", "created_at"
        )


VERSIONS = """
SELECT count(*), count(*) FILTER (WHERE {held})
  FROM memory_core_memoryversion v JOIN memory_core_memory m ON m.id = v.memory_id
 WHERE m.owner_id = ANY(%s::bigint[])
"""
DERIVED = """
WITH RECURSIVE derived AS (
  SELECT m.id FROM memory_core_memory m
   WHERE m.derived_from <> '{{}}' AND m.owner_id <> ALL(%s::bigint[])
     AND EXISTS (SELECT FROM memory_core_memory origin
                  WHERE origin.id = ANY(m.derived_from)
                    AND origin.owner_id = ANY(%s::bigint[]))
  UNION
  SELECT m.id FROM memory_core_memory m JOIN derived d ON d.id = ANY(m.derived_from)
   WHERE m.derived_from <> '{{}}')
SELECT m.id FROM memory_core_memory m JOIN derived d ON d.id = m.id
 WHERE NOT {held} ORDER BY m.id {lock}
"""
