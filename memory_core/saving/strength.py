"""What is left of a stored memory's strength."""

from datetime import datetime

from memory_core.contracts.enums import Tier
from memory_core.models import Memory, MemoryUse
from memory_core.saving import lookups
from memory_core.scoring import Strength, decay


def left(
    memory: Memory, use: MemoryUse, *, now: datetime, since: datetime | None = None
) -> float:
    """Return the share of the base that is left, in (0, 1].

    It ages from `since`, if that is not given from the last use or the observation.
    """
    strength = Strength(
        base=use.base_score,
        since=since or use.last_accessed_at or memory.observed_at,
        permanent=memory.tier == Tier.PERMANENT,
        deadline=memory.expire_at,
    )
    policy = lookups.policy(memory.category_id, memory.namespace_id)
    return decay(strength, policy, now=now)
