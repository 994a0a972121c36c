"""Erasures go on in the background; a person made up for it is erased every day."""

import time

from celery import shared_task
from django.utils import timezone

from memory_core.backups import newest_backup_holding
from memory_core.erasure import canary, repeating, running
from memory_core.queueing import enqueue

SECONDS = 5.0
"""How long one run may keep a worker from the other tasks that wait."""


@shared_task(name="memory_core.tasks.tend_erasures")
def tend_erasures() -> None:
    """Work on each open run for a moment; queue up again while one could go on."""
    could_go_on = False
    for run in running.open_runs():
        after = running.work(run.pk, until=time.monotonic() + SECONDS)
        could_go_on = could_go_on or running.could_go_on(after)
    if could_go_on:
        enqueue("tend_erasures")


@shared_task(name="memory_core.tasks.send_canary")
def send_canary() -> None:
    """Send today's canary unless it was sent, and forget those of last month.

    What it takes to repeat an erasure goes with the last backup that could need it.
    """
    canary.send(now=timezone.now())
    canary.prune(now=timezone.now())
    repeating.prune(
        is_gone_from_backups=lambda since: newest_backup_holding(since) is None
    )
