"""Consolidation by the clock."""

from celery import shared_task
from django.utils import timezone

from memory_core import jobs
from memory_core.consolidation import planning, purging, run

jobs.register(run.KIND, run.advance)


@shared_task(name="memory_core.tasks.consolidate_hourly")
def consolidate_hourly() -> None:
    """Queue a run for each namespace, and delete old traces of recalls."""
    now = timezone.now()
    planning.plan_runs(now=now)
    purging.purge_traces(now=now)
