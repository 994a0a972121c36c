"""Many memories at once, with seeded vectors and made-up words."""

import numpy as np
from django.db import connection
from django.utils import timezone

from memory_core import digests
from memory_core.models import Memory, MemoryTerm, MemoryUse, MemoryVector

WORDS = 50


def make_crowd(like: Memory, rows: int, *, seed: int = 1) -> list[Memory]:
    """Return `rows` memories of the owner, namespace, source and category of `like`."""
    random = np.random.default_rng(seed)
    placed = MemoryVector.objects.get(memory=like)
    directions = random.standard_normal((rows, placed.model.dimensions))
    memories = [_memory(like, number) for number in range(rows)]
    Memory.unscoped.bulk_create(memories)
    MemoryUse.objects.bulk_create(
        [
            MemoryUse(memory=memory, owner_id=like.owner_id, base_score=0.6)
            for memory in memories
        ]
    )
    MemoryVector.objects.bulk_create(
        [
            MemoryVector(
                memory=memory,
                model_id=placed.model_id,
                owner_id=like.owner_id,
                namespace_id=like.namespace_id,
                category_id=like.category_id,
                status=1,
                observed_at=memory.observed_at,
                vector=list(direction / np.linalg.norm(direction)),
            )
            for memory, direction in zip(memories, directions, strict=True)
        ]
    )
    MemoryTerm.objects.bulk_create(
        [
            MemoryTerm(
                owner_id=like.owner_id,
                term=f"word{number % WORDS}",
                memory_id=memory.pk,
                namespace_id=like.namespace_id,
                status=1,
                tf=1,
                len=5,
            )
            for number, memory in enumerate(memories)
        ]
    )
    return memories


def multiply(memory: Memory, rows: int, **different: str) -> None:
    """Copy a memory many times, with ids of their own, and tell the planner.

    `different` has an SQL expression for each column that the copies do not share; `n`
    counts them from one.
    """
    table = Memory._meta.db_table
    columns = [field.column for field in Memory._meta.concrete_fields]
    own = {"id": "uuidv7()"} | different
    names = ", ".join(f'"{name}"' for name in columns)
    values = ", ".join(own.get(name, f'"{name}"') for name in columns)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({names}) SELECT {values}"
            f" FROM {table}, generate_series(1, %s) AS n WHERE id = %s",
            [rows, memory.pk],
        )
        cursor.execute(f"ANALYZE {table}")


def _memory(like: Memory, number: int) -> Memory:
    now = timezone.now()
    text = f"word{number % WORDS} of sentence {number}"
    return Memory(
        namespace_id=like.namespace_id,
        owner_id=like.owner_id,
        source_id=like.source_id,
        category_id=like.category_id,
        content=text,
        content_digest=digests.of_content(text),
        text_key=digests.of_text(text),
        observed_at=now,
        created_at=now,
        updated_at=now,
        rules_version=like.rules_version,
    )
