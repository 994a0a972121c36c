"""Today's snapshot, written now because somebody asked."""

from datetime import datetime

from django.utils import timezone

from memory_core import jobs
from memory_core.contracts.callers import Actor
from memory_core.models import Job
from memory_core.snapshots import keeping, ordered, verifying

KIND = "daily_snapshot"


def order(*, by: Actor, now: datetime) -> Job:
    """Return the job that writes today's snapshot, in the place of an earlier one."""
    job = Job.objects.create(kind=KIND, created_by=by.name, created_at=now)
    jobs.call_worker()
    return job


def advance(job: Job, until: float) -> bool:
    """Write it in one turn, with signs of life; return whether it is there.

    A later turn begins it again if an erasure waited.
    """
    now = timezone.now()
    if keeping.take(now=now, is_wanted=ordered.beats(job)) is None:
        return False
    verifying.order_due(now=now)
    return True
