"""Whether relation thresholds make sense on a model: measured, kept on its space."""

import logging

from django.conf import settings

from memory_core.models import EmbeddingModel
from memory_core.saving.relation.limits import threshold_warnings
from memory_core.saving.relation.model import weights
from memory_core.saving.vectors import embedder_of

logger = logging.getLogger(__name__)


def weigh(space: EmbeddingModel) -> list[str]:
    """Return the warnings for a space, measured if its last measure is another one's.

    They are kept on its row and logged. Raises EmbedderUnavailable.
    """
    limits = {**weights().thresholds, **settings.RELATION_THRESHOLDS}
    measure = f"{weights().version} {sorted(limits.items())}"
    if space.weighed_by != measure:
        space.warnings = threshold_warnings(limits, embedder_of(space.name))
        space.weighed_by = measure
        space.save(update_fields=["warnings", "weighed_by"])
        for sentence in space.warnings:
            logger.warning("relation thresholds: %s", sentence)
    found: list[str] = space.warnings
    return found
