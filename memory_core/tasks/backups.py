"""Backups by the clock."""

from celery import shared_task
from django.utils import timezone

from memory_core.backups import ageing


@shared_task(name="memory_core.tasks.age_backups")
def age_backups() -> None:
    """Delete the backups whose time is over."""
    ageing.prune(now=timezone.now())
