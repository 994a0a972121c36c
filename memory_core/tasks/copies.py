"""The cold copy by the clock."""

import time

from celery import shared_task
from django.utils import timezone

from memory_core.snapshots.cold import draining

SECONDS = 20.0


@shared_task(name="memory_core.tasks.copy_cold")
def copy_cold() -> None:
    """Carry what was written to the cold copy."""
    draining.drain(now=timezone.now(), until=time.monotonic() + SECONDS)
