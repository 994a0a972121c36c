"""Vectors for memories stored without one; until then only words find them."""

from collections.abc import Iterable
from uuid import UUID

from django.db import transaction

from memory_core.contracts.enums import EmbeddingState
from memory_core.contracts.relation import Vector
from memory_core.models import Memory
from memory_core.querysets.memories import MemoryQuerySet
from memory_core.saving import storage
from memory_core.saving.vectors import ModelRow, active_model, embed

BATCH = 16


def give_vector(memory_id: UUID) -> bool:
    """Return whether the memory was still waiting, and now has its vector.

    Raises EmbedderUnavailable.
    """
    return _give_vectors(_waiting().filter(pk=memory_id)) == 1


def give_vectors(*, limit: int) -> int:
    """Give up to `limit` waiting memories their vectors; return how many got one.

    Raises EmbedderUnavailable; what was done before stays done.
    """
    done = 0
    while done < limit:
        rows = _waiting().order_by("pk")[: min(BATCH, limit - done)]
        placed = _give_vectors(rows)
        if not placed:
            break
        done += placed
    return done


def _waiting() -> MemoryQuerySet:
    return Memory.unscoped.filter(embedding=EmbeddingState.QUEUED)


def _give_vectors(rows: Iterable[Memory]) -> int:
    memories = list(rows)
    if not memories:
        return 0
    model = active_model()
    vectors = embed(model, [memory.content for memory in memories])
    pairs = zip(memories, vectors, strict=True)
    return sum(_place(memory, vector, model) for memory, vector in pairs)


def _place(memory: Memory, vector: Vector, model: ModelRow) -> bool:
    """Store the vector unless the text changed, or went, since it was read."""
    with transaction.atomic():
        current = (
            _waiting()
            .select_for_update()
            .filter(pk=memory.pk, content_digest=memory.content_digest)
            .first()
        )
        if current is None:
            return False
        storage.place(current, storage.Placed(vector, model.id))
    return True
