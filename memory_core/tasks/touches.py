"""Write what recalls left behind, every two seconds."""

import logging

from celery import shared_task
from django.db import OperationalError

from memory_core import valkey
from memory_core.recall import flushing

logger = logging.getLogger(__name__)


@shared_task(name="memory_core.tasks.flush_touches")
def flush_touches() -> None:
    """Flush unless another worker is at it; what fails is tried again by the next."""
    try:
        flushing.flush(wait=False)
    except (valkey.Unavailable, OperationalError) as error:
        logger.warning("recall notes wait for the next flush: %s", error)
