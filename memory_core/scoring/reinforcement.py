"""Reinforcement: what was useful fades later."""

from datetime import datetime, timedelta

FIRST_RANK_GAIN = 0.1
NEAR_RANK_GAIN = 0.05
LAST_RANK_THAT_GAINS = 5
KINSHIP_SHARE = 0.1
PAUSE = timedelta(hours=1)


def gain_for_rank(rank: int) -> float:
    """Return what a recall at this rank (from 1) adds to the base."""
    if rank == 1:
        return FIRST_RANK_GAIN
    return NEAR_RANK_GAIN if rank <= LAST_RANK_THAT_GAINS else 0.0


def may_gain(last_gain_at: datetime | None, *, now: datetime) -> bool:
    """Return whether an hour has passed since the last gain (calls without a session).

    Asking the same thing in a loop must not pump a memory up.
    """
    return last_gain_at is None or now - last_gain_at >= PAUSE


def reinforced(base: float, decayed: float, gain: float) -> float:
    """Return the new base in [0, 1]: the decayed base plus the gain.

    The caller sets the time of the base to the access. `decayed` is decay() in (0, 1].
    """
    return min(1.0, base * decayed + gain)
