"""Snapshots by the clock."""

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from memory_core import jobs
from memory_core.queueing import enqueue
from memory_core.snapshots import daily, keeping, moving, ordered, uploads, verifying

jobs.register(ordered.KIND, ordered.advance)
jobs.register(daily.KIND, daily.advance)
jobs.register(verifying.KIND, verifying.advance)
jobs.register(uploads.KIND, moving.advance)


@shared_task(name="memory_core.tasks.take_snapshot")
def take_snapshot() -> None:
    """Take today's snapshot unless it is there, and drop what was kept long enough.

    One that gave way to an erasure is begun again at once, behind it. Copies that
    nobody has read again since they were written are verified.
    """
    now = timezone.now()
    is_due = settings.SNAPSHOTS_KEPT and not keeping.is_taken(now=now)
    if is_due and keeping.take(now=now) is None:
        enqueue("take_snapshot")
    keeping.prune(keep=settings.SNAPSHOTS_KEPT)
    keeping.prune_quarantine(now=now)
    ordered.prune(now=now)
    uploads.prune(now=now)
    verifying.order_due(now=now)
