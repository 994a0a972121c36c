"""Vectors that did not come in time."""

from uuid import UUID

from celery import shared_task

from memory_core.embedding import EmbedderUnavailable
from memory_core.saving import waiting

SWEEP = 500
"""Memories that one sweep takes; the next one goes on."""


@shared_task(
    name="memory_core.tasks.embed_memory",
    autoretry_for=(EmbedderUnavailable,),
    retry_backoff=2,
    max_retries=5,
)
def embed_memory(memory_id: str) -> bool:
    """Give one memory its vector; the sweep finds it again if every try fails."""
    return waiting.give_vector(UUID(memory_id))


@shared_task(name="memory_core.tasks.embed_waiting")
def embed_waiting() -> int:
    """Give waiting memories their vectors; return how many."""
    try:
        return waiting.give_vectors(limit=SWEEP)
    except EmbedderUnavailable:
        return 0
