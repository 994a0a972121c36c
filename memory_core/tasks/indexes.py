"""Keep the approximate indexes of very large owners in step with their sizes."""

from celery import shared_task
from django.conf import settings

from memory_core.recall import indexes


@shared_task(name="memory_core.tasks.tend_indexes")
def tend_indexes() -> None:
    """Make the indexes that are lacking and drop the ones that are no longer needed."""
    indexes.keep_in_step(threshold=settings.HNSW_ROWS)
