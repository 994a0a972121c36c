"""Forgetting: two stored numbers and a time give the score of this moment.

Nothing rewrites the table as time passes (lazy decay).
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

DAY = timedelta(days=1)
BONUS_PER_ACCESS = 0.01


@dataclass(frozen=True, slots=True)
class Policy:
    """How a category is forgotten: half-life in days, the rest are scores in [0, 1]."""

    half_life: float
    floor: float = 0.0
    bonus_cap: float = 0.2
    archive_below: float = 0.15
    has_deadline: bool = False


@dataclass(frozen=True, slots=True)
class Strength:
    """What is stored of a memory's strength; `since` is when `base` held.

    `since` is the last access, before the first one the moment of observation.
    `deadline` is set for a task that has one; `permanent` never fades.
    """

    base: float
    since: datetime
    accesses: int = 0
    permanent: bool = False
    deadline: datetime | None = None


def decay(strength: Strength, policy: Policy, *, now: datetime) -> float:
    """Return the share of the base that is left, in (0, 1].

    0.5 ** (age / half-life); 1 for permanent memories, and 1 until its deadline for a
    task that has one. An age is never below 0.
    """
    if strength.permanent:
        return 1.0
    if policy.has_deadline and strength.deadline is not None:
        if now <= strength.deadline:
            return 1.0
        age = (now - strength.deadline) / DAY
    else:
        age = max(0.0, (now - strength.since) / DAY)
    return float(0.5 ** (age / policy.half_life))


def live_score(
    strength: Strength, policy: Policy, *, now: datetime, with_bonus: bool = True
) -> float:
    """Return the score of this moment, in [0, 1].

    max(floor, min(1, base * decay + min(bonus_cap, 0.01 * accesses))). Without the
    bonus it is what archiving looks at: a count alone must not keep a memory alive.
    """
    bonus = min(policy.bonus_cap, BONUS_PER_ACCESS * strength.accesses)
    faded = strength.base * decay(strength, policy, now=now)
    return max(policy.floor, min(1.0, faded + (bonus if with_bonus else 0.0)))
