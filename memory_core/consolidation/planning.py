"""Which runs the clock asks for: one a namespace and hour, over what has changed."""

from datetime import datetime, timedelta

from memory_core import jobs
from memory_core.consolidation.run import KIND
from memory_core.contracts.callers import SYSTEM
from memory_core.contracts.enums import JobState
from memory_core.models import Corpus, Job

OVERLAP = timedelta(hours=1)
"""Looked at again by the next run: vectors that came late, clocks that differ."""


def plan_runs(*, now: datetime) -> int:
    """Queue a run for each namespace with memories; return how many were lacking."""
    spaces = Corpus.objects.order_by("namespace_id").values_list("namespace_id")
    planned = 0
    for (space,) in spaces.distinct():
        if _is_planned(space):
            continue
        Job.objects.create(
            kind=KIND,
            namespace_id=space,
            params={
                "namespaces": [space],
                "dry_run": False,
                "hourly": True,
                "since": _last_run(space),
            },
            created_by=SYSTEM.name,
            created_at=now,
        )
        planned += 1
    if planned:
        jobs.call_worker()
    return planned


def _is_planned(space: int) -> bool:
    waiting = Job.objects.filter(
        kind=KIND, namespace=space, state__in=jobs.OPEN, params__hourly=True
    )
    return waiting.exists()


def _last_run(space: int) -> str | None:
    """Return since when memories have not been compared, None for never."""
    done = Job.objects.filter(
        kind=KIND, namespace=space, state=JobState.DONE, params__hourly=True
    )
    last = done.order_by("-id").values_list("started_at", flat=True).first()
    return (last - OVERLAP).isoformat() if last else None
