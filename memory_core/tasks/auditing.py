"""Background sealing of the audit log."""

from celery import shared_task
from django.utils import timezone

from memory_core.auditing.seal import seal


@shared_task(name="memory_core.tasks.seal_audit")
def seal_audit() -> int:
    """Seal what was written since; return how many entries."""
    return seal(now=timezone.now())
