"""Answers to repeated requests, kept for a day."""

from celery import shared_task
from django.utils import timezone

from memory_core import idempotency


@shared_task(name="memory_core.tasks.sweep_answers")
def sweep_answers() -> int:
    """Delete answers that were kept long enough; return how many."""
    return idempotency.sweep(now=timezone.now())
