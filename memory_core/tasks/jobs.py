"""Turns of background jobs."""

from celery import shared_task

from memory_core import jobs

SECONDS = 2.0
"""How long one message may keep a worker from the other ones that wait."""


@shared_task(name="memory_core.tasks.work_jobs")
def work_jobs() -> None:
    """Take turns for a moment; if jobs are left, queue up again behind the others."""
    if jobs.work(seconds=SECONDS):
        jobs.call_worker()
