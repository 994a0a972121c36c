"""What the people's side does by the clock."""

from celery import shared_task
from django.utils import timezone

from memory_core import jobs
from moderation.actions import (
    audit_checks,
    batches,
    erasure_progress,
    erasure_upkeep,
    samples,
    withdrawals,
)

jobs.register(audit_checks.KIND, audit_checks.advance)
jobs.register(batches.KIND, batches.advance)
jobs.register(withdrawals.KIND, withdrawals.advance)


@shared_task(name="moderation.tasks.advance_requests")
def advance_requests() -> None:
    """Take requests that wait for nobody one step on."""
    erasure_progress.advance_all(now=timezone.now())


@shared_task(name="moderation.tasks.tidy_requests")
def tidy_requests() -> None:
    """Delete what was kept of closed requests for long enough."""
    erasure_upkeep.tidy(now=timezone.now())


@shared_task(name="moderation.tasks.draw_samples")
def draw_samples() -> None:
    """Draw the week's questions on quality, unless they are there."""
    samples.draw(now=timezone.now())
