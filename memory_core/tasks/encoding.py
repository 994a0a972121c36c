"""Conversations that wait for the encoder."""

from uuid import UUID

from celery import shared_task
from django.utils import timezone

from memory_core.encoding import engine
from memory_core.queueing import enqueue

SWEEP = 200
"""Stretches that one sweep sends on; the next one goes on."""


@shared_task(name="memory_core.tasks.encode_turns")
def encode_turns(turns_id: str) -> bool:
    """Encode one stretch; one that must wait is found again by the sweep."""
    return engine.encode(UUID(turns_id), now=timezone.now())


@shared_task(name="memory_core.tasks.encode_waiting")
def encode_waiting() -> int:
    """Send on every stretch that is due; return how many."""
    due = engine.waiting(now=timezone.now(), limit=SWEEP)
    for turns_id in due:
        enqueue("encode_turns", str(turns_id))
    return len(due)


@shared_task(name="memory_core.tasks.purge_turns")
def purge_turns() -> int:
    """Delete what was kept for seven days; return how many stretches."""
    return engine.purge(now=timezone.now())
