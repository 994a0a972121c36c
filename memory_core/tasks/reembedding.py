"""Changes of the embedding model, worked on in turns like every job."""

from celery import shared_task

from memory_core import jobs
from memory_core.contracts.enums import VectorSpaceState
from memory_core.models import EmbeddingModel
from memory_core.reembedding import language, run
from memory_core.reembedding.weighing import weigh

jobs.register(run.KIND, run.advance)
jobs.register(language.KIND, language.advance)


@shared_task(name="memory_core.tasks.weigh_thresholds")
def weigh_thresholds() -> None:
    """Measure whether the relation thresholds make sense on the active model."""
    for space in EmbeddingModel.objects.filter(state=VectorSpaceState.ACTIVE):
        weigh(space)
