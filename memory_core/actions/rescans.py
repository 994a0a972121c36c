"""Have stored memories judged anew by the present rules of the screening."""

from django.utils import timezone

from memory_core import isolation, rescanning
from memory_core.contracts.callers import Actor
from memory_core.models import Job


def start(*, by: Actor) -> Job:
    """Return the job; one that waits or runs already is the same one."""
    with isolation.transaction_for(by):
        return rescanning.queue(by=by, now=timezone.now())
