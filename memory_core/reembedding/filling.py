"""Vectors of one space for the memories that have none there yet."""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction

from memory_core.contracts.relation import Vector
from memory_core.models import EmbeddingModel
from memory_core.prepared import fetch
from memory_core.saving import loading, vectors
from memory_core.saving.vectors import ModelRow

BATCH = 32

NEXT = """
SELECT m.id, m.content, m.content_digest FROM memory_core_memory m
 WHERE (%(after)s::uuid IS NULL OR m.id > %(after)s) AND NOT EXISTS (
  SELECT FROM memory_core_memoryvector v
   WHERE v.memory_id = m.id AND v.model_id = %(model)s)
 ORDER BY m.id LIMIT %(limit)s
"""


def fill(space: EmbeddingModel, after: UUID | None) -> tuple[int, UUID | None]:
    """Give the next memories their vectors; return how many, and the last one's id.

    A text that changed meanwhile is left for the next round. Raises
    EmbedderUnavailable.
    """
    rows = fetch(NEXT, {"after": after, "model": space.pk, "limit": BATCH})
    if not rows:
        return 0, None
    model = ModelRow(space.pk, space.name)
    found = vectors.embed(model, [row[1] for row in rows])
    with transaction.atomic():
        placed = loading.place_many(space.pk, _pairs(rows, found))
    return placed, rows[-1][0]


def _pairs(
    rows: Sequence[tuple[Any, ...]], found: Iterable[Vector]
) -> list[tuple[UUID, bytes, Vector]]:
    return [
        (row[0], bytes(row[2]), vector) for row, vector in zip(rows, found, strict=True)
    ]
