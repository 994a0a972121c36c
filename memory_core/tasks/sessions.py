"""Sessions whose time is about to end."""

from celery import shared_task
from django.utils import timezone

from memory_core.encoding import ending
from memory_core.exceptions import ServiceUnavailable


@shared_task(name="memory_core.tasks.tend_sessions")
def tend_sessions() -> None:
    """Hand over what was not encoded yet, and take away what has ended."""
    try:
        ending.tend(now=timezone.now())
    except ServiceUnavailable:
        return  # Valkey is down; the sessions are still due when it is back
