"""Live scores of many memories at once: `decay.live_score` over arrays."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory_core.scoring.decay import BONUS_PER_ACCESS, DAY

Floats = NDArray[np.float64]
SECONDS_A_DAY = DAY.total_seconds()


@dataclass(frozen=True, slots=True)
class Strengths:
    """What `Strength` and `Policy` say, an array each; times in seconds since 1970.

    `deadline` is NaN for what has none, or whose category does not heed it.
    """

    base: Floats
    since: Floats
    accesses: Floats
    permanent: NDArray[np.bool_]
    deadline: Floats
    half_life: Floats
    floor: Floats
    bonus_cap: Floats


def decays(strengths: Strengths, *, now: float) -> Floats:
    """Return what `decay.decay` returns for each."""
    start = np.where(np.isnan(strengths.deadline), strengths.since, strengths.deadline)
    age = np.maximum(now - start, 0.0) / SECONDS_A_DAY
    return np.where(strengths.permanent, 1.0, 0.5 ** (age / strengths.half_life))


def bonuses(strengths: Strengths) -> Floats:
    """Return what earlier recalls add to each score."""
    return np.minimum(strengths.bonus_cap, BONUS_PER_ACCESS * strengths.accesses)


def live_scores(strengths: Strengths, *, now: float) -> Floats:
    """Return what `decay.live_score` returns for each, in [0, 1]."""
    faded = strengths.base * decays(strengths, now=now)
    return np.maximum(strengths.floor, np.minimum(1.0, faded + bonuses(strengths)))
