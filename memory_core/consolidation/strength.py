"""How strong a memory is that stands for several."""

from collections.abc import Sequence
from datetime import datetime

from memory_core.models import Memory, MemoryUse
from memory_core.saving import lookups
from memory_core.saving.storage import Strength
from memory_core.scoring import Strength as Fading
from memory_core.scoring import decay


def combined(memories: Sequence[Memory], *, now: datetime) -> Strength:
    """Return the strength of the strongest, dated from the latest use of any.

    Locks the uses, so that no recall's gain is lost.
    """
    uses = {
        use.pk: use
        for use in MemoryUse.objects.select_for_update()
        .filter(pk__in=[memory.pk for memory in memories])
        .order_by("pk")
    }
    since = {m.pk: uses[m.pk].last_accessed_at or m.observed_at for m in memories}
    moment = min(now, max(since.values()))
    bases = [
        uses[m.pk].base_score * _decay(m, uses[m.pk], since[m.pk], moment)
        for m in memories
    ]
    first = min(memory.observed_at for memory in memories)
    return Strength(
        min(1.0, max(bases)),
        moment if moment > first else None,
        max(use.access_count for use in uses.values()),
    )


def set_strength(memory: Memory, strength: Strength) -> None:
    """Write the strength of a stored memory."""
    MemoryUse.objects.filter(pk=memory.pk).update(
        base_score=strength.base,
        last_accessed_at=strength.last_accessed_at,
        access_count=strength.access_count,
    )


def _decay(memory: Memory, use: MemoryUse, since: datetime, moment: datetime) -> float:
    fading = Fading(
        base=use.base_score,
        since=since,
        permanent=memory.tier == "permanent",
        deadline=memory.expire_at,
    )
    policy = lookups.policy(memory.category_id, memory.namespace_id)
    return decay(fading, policy, now=moment)
