"""Spreading reinforcement: what is very similar to a user's new statement gains a bit.

A tenth of a rank-1 gain goes to the base, so that no time moves and no count grows.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import numpy as np

from memory_core.contracts.enums import Status
from memory_core.contracts.relation import Vector
from memory_core.models import MemoryUse
from memory_core.saving.neighbours import Known
from memory_core.saving.preparing import Prepared
from memory_core.saving.strength import left
from memory_core.saving.vectors import embedder_of
from memory_core.scoring import gain_for_rank
from memory_core.scoring.reinforcement import KINSHIP_SHARE

VERY_SIMILAR = 0.3
"""How far from equal, as a share of the way to where relevance is even, kin may be."""
FAINTEST = 1e-6


def very_similar(prepared: Prepared, known: Sequence[Known]) -> tuple[UUID, ...]:
    """Return the current ones among the known whose vectors are nearly the same."""
    if prepared.vector is None:
        return ()
    calibration = embedder_of(prepared.model.name).calibration
    midpoint = max(calibration.spaced, calibration.unspaced)
    least = 1.0 - VERY_SIMILAR * (1.0 - midpoint)
    return tuple(
        one.id
        for one in known
        if one.status == Status.ACTIVE
        and one.vector is not None
        and _cosine(prepared.vector, one.vector) >= least
    )


def keep_alive(memory_ids: Sequence[UUID], *, owner: int, now: datetime) -> int:
    """Add the kin's gain to the base of an owner's active memories; return how many."""
    uses = (
        MemoryUse.objects.select_for_update(of=("self",))
        .select_related("memory")
        .filter(pk__in=memory_ids, owner_id=owner, memory__status=Status.ACTIVE)
        .order_by("pk")
    )
    for use in uses:
        faded = max(FAINTEST, left(use.memory, use, now=now))
        gain = gain_for_rank(1) * KINSHIP_SHARE / faded
        use.base_score = min(1.0, use.base_score + gain)
        use.save(update_fields=["base_score"])
    return len(uses)


def _cosine(one: Vector, other: Vector) -> float:
    a, b = np.asarray(one, np.float32), np.asarray(other, np.float32)
    lengths = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / lengths if lengths else 0.0
