"""The worker's sign of life."""

from celery import shared_task

from memory_core import valkey
from memory_core.contracts.health import HEARTBEAT_KEY, HEARTBEAT_SECONDS


@shared_task(name="memory_core.tasks.heartbeat")
def heartbeat() -> None:
    """Leave a mark that vanishes when beat or worker stop."""
    valkey.client().set(HEARTBEAT_KEY, 1, ex=HEARTBEAT_SECONDS)
