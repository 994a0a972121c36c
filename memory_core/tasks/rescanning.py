"""After a change of the rules, stored memories are judged anew by themselves."""

from celery import shared_task
from django.db import transaction
from django.utils import timezone

from memory_core import jobs, rescanning
from memory_core.contracts.callers import SYSTEM

jobs.register(rescanning.KIND, rescanning.advance)


@shared_task(name="memory_core.tasks.rescan_after_change")
def rescan_after_change() -> None:
    """Queue a rescan unless the present rules have had theirs."""
    if rescanning.is_due():
        with transaction.atomic():
            rescanning.queue(by=SYSTEM, now=timezone.now())
