"""Hand work to the background: by the task's name, and only once committed."""

import logging
from typing import Any

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)


def enqueue(task: str, *arguments: Any, queue: str | None = None) -> None:
    """Send `task` (its last dotted name) after the transaction commits.

    A queue that is down loses nothing: every task is also found again from the
    database by its sweep, so the failure is logged and not raised.
    """
    transaction.on_commit(lambda: _send(task, arguments, queue))


def _send(task: str, arguments: tuple[Any, ...], queue: str | None) -> None:
    try:
        current_app.send_task(
            f"memory_core.tasks.{task}", args=arguments, queue=queue, retry=False
        )
    except (OperationalError, ConnectionError, OSError) as error:
        logger.warning("queue is down, %s waits for its sweep: %s", task, error)
