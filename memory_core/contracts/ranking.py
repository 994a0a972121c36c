"""What fitting a ranking profile found."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FitView:
    """Qualities are nDCG at 10 in [0, 1] on recalls that were not fitted on.

    `profile` names the profile that is in use afterwards, `default` without one;
    `changed` are the weights that differ, as (before, after).
    """

    namespace: str
    cases: int
    held_out: int
    before: float
    after: float
    better: int
    worse: int
    wins: bool
    is_used: bool
    profile: str
    changed: Mapping[str, tuple[float, float]]
