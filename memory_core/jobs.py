"""Fair scheduling of background jobs: time slices, round-robin over namespaces.

A job is a row that people can see. A turn lasts a moment, then the namespace that has
waited longest gets the next one; within a namespace one job runs at a time, in the
order in which they came. What an engine has done is in its job's cursor, so a turn that
was cut off is taken up by the next.
"""

import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import UUID

from django.db import InterfaceError, OperationalError, connection
from django.utils import timezone

from memory_core import faults
from memory_core.contracts.enums import JobState
from memory_core.models import Job
from memory_core.queueing import enqueue

logger = logging.getLogger(__name__)

TURN_SECONDS = 1.0
LOST_AFTER = timedelta(minutes=2)
"""Without a sign of life for so long, a running job's worker is taken for dead."""

Engine = Callable[[Job, float], bool]
"""Works on a job until a moment of `time.monotonic()`; returns whether it is done."""

OPEN = (JobState.QUEUED, JobState.RUNNING, JobState.PAUSED)

_engines: dict[str, Engine] = {}

NEXT = """
SELECT waiting.id FROM (
  SELECT DISTINCT ON (namespace_id) id, namespace_id FROM memory_core_job j
   WHERE state = 'queued' AND kind = ANY(%(kinds)s)
     AND NOT EXISTS (SELECT FROM memory_core_job r
       WHERE r.state = 'running' AND r.kind = ANY(%(kinds)s)
         AND r.namespace_id IS NOT DISTINCT FROM j.namespace_id)
   ORDER BY namespace_id, id) waiting
 ORDER BY (SELECT max(heartbeat_at) FROM memory_core_job served
            WHERE served.namespace_id = waiting.namespace_id) NULLS FIRST,
          waiting.id
 LIMIT 1
"""


def register(kind: str, engine: Engine) -> None:
    """Have jobs of this kind worked on by `engine`."""
    _engines[kind] = engine


def call_worker() -> None:
    """Have somebody take turns, once the running transaction is committed."""
    enqueue("work_jobs")


def work(*, seconds: float) -> bool:
    """Take turns for so long; return whether jobs are left that could go on now."""
    end = time.monotonic() + seconds
    _take_back_lost(now=timezone.now())
    while job := _claim(now=timezone.now()):
        _turn(job)
        if time.monotonic() >= end:
            return True
    return False


def beat(job: Job, *, now: datetime) -> bool:
    """Give a sign of life; return whether the job should still run."""
    rows = Job.objects.filter(pk=job.pk, state=JobState.RUNNING)
    return bool(rows.update(heartbeat_at=now))


def _claim(*, now: datetime) -> Job | None:
    """Return the next job, marked as running."""
    for _ in range(10):  # another worker may be faster
        with connection.cursor() as cursor:
            cursor.execute(NEXT, {"kinds": list(_engines)})
            found = cursor.fetchone()
        if found is None:
            return None
        waiting = Job.objects.filter(pk=found[0], state=JobState.QUEUED)
        if waiting.update(state=JobState.RUNNING, heartbeat_at=now):
            Job.objects.filter(pk=found[0], started_at=None).update(started_at=now)
            return Job.objects.get(pk=found[0])
    return None


def _turn(job: Job) -> None:
    try:
        is_done = _engines[job.kind](job, time.monotonic() + TURN_SECONDS)
    except (OperationalError, InterfaceError):
        _leave(job.pk, JobState.QUEUED)
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, people must see it
        said = faults.type_and_places(error)
        logger.error("job %s (%s) failed: %s", job.pk, job.kind, said)
        _leave(job.pk, JobState.FAILED, error=type(error).__name__)
    else:
        _leave(job.pk, JobState.DONE if is_done else JobState.QUEUED)


def _leave(pk: UUID, state: JobState, *, error: str = "") -> None:
    """End a turn; a job that was paused or cancelled meanwhile stays so."""
    now = timezone.now()
    changes: dict[str, object] = {"state": state, "heartbeat_at": now}
    if state in (JobState.DONE, JobState.FAILED):
        changes["finished_at"] = now
    if error:
        changes["error"] = error
    Job.objects.filter(pk=pk, state=JobState.RUNNING).update(**changes)


def _take_back_lost(*, now: datetime) -> None:
    """Queue again what a dead worker left behind."""
    lost = Job.objects.filter(
        state=JobState.RUNNING,
        kind__in=list(_engines),
        heartbeat_at__lt=now - LOST_AFTER,
    )
    lost.update(state=JobState.QUEUED)
