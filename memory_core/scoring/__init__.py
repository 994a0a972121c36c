"""Numbers from numbers: how a memory fades and how use keeps it."""

from memory_core.scoring.birth import base_at_birth
from memory_core.scoring.decay import DAY, Policy, Strength, decay, live_score
from memory_core.scoring.reinforcement import gain_for_rank, may_gain, reinforced

__all__ = [
    "DAY",
    "Policy",
    "Strength",
    "base_at_birth",
    "decay",
    "gain_for_rank",
    "live_score",
    "may_gain",
    "reinforced",
]
