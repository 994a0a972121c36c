"""Better weights for a set of cases: one weight after the other, checked on others.

Two cases in three are fitted on, the third is held out. Quality is nDCG at 10 with a
gain of 1 for what was used (Järvelin and Kekäläinen, 2002).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from memory_core.recall.fitting.cases import Case
from memory_core.recall.profiles import RankingWeights
from memory_core.recall.ranking import rank

DEPTH = 10
HELD_OUT = 3
"""Every third case."""
PASSES = 2
FEWEST_CASES = 30
LEAST_GAIN = 0.005
"""Of nDCG on the held-out cases, below which nothing is changed."""

STEPS: dict[str, tuple[float, ...]] = {
    "lexical": (0.2, 0.3, 0.4, 0.5, 0.6, 0.8),
    "previous": (0.0, 0.15, 0.3, 0.4),
    "next": (0.0, 0.1, 0.2, 0.3),
    "second": (0.0, 0.1, 0.15),
    "session": (0.0, 0.1, 0.2, 0.4),
    "subject": (0.0, 1.0, 2.0, 3.0),
    "question": (0.0, 0.5, 1.0),
    "length": (0.0, 0.15, 0.3, 0.5),
    "linked": (0.0, 0.25, 0.5, 1.0),
    "w_score": (0.0, 0.05, 0.1, 0.2, 0.3),
}
PARTNERS = {"lexical": "dense", "w_score": "w_relevance"}
"""Two weights of which only the ratio matters: the other one is what is left to 1."""


@dataclass(frozen=True, slots=True)
class Fit:
    """What fitting found: qualities in [0, 1] on the held-out cases, before and after.

    `wins` says whether the new weights are better by enough, and on more held-out
    cases than they are worse on.
    """

    cases: int
    held_out: int
    before: float
    after: float
    better: int
    worse: int
    weights: RankingWeights

    @property
    def gain(self) -> float:
        return self.after - self.before

    @property
    def wins(self) -> bool:
        return self.gain >= LEAST_GAIN and self.better > self.worse


def fit(cases: Sequence[Case], weights: RankingWeights) -> Fit:
    """Return better weights than `weights` for the cases, with what they gain.

    With fewer than 30 cases the weights stay as they are.
    """
    kept = [case for number, case in enumerate(cases) if number % HELD_OUT]
    held = cases[::HELD_OUT]
    found = _climb(kept, weights) if len(cases) >= FEWEST_CASES else weights
    before = [_ndcg(case, weights) for case in held]
    after = [_ndcg(case, found) for case in held]
    return Fit(
        cases=len(cases),
        held_out=len(held),
        before=_mean(before),
        after=_mean(after),
        better=sum(a > b for a, b in zip(after, before, strict=True)),
        worse=sum(a < b for a, b in zip(after, before, strict=True)),
        weights=found,
    )


def quality(cases: Sequence[Case], weights: RankingWeights) -> float:
    """Return the mean nDCG at 10, 0 without cases."""
    return _mean([_ndcg(case, weights) for case in cases])


def _climb(cases: Sequence[Case], weights: RankingWeights) -> RankingWeights:
    best, reached = weights, quality(cases, weights)
    for _ in range(PASSES):
        for name, values in STEPS.items():
            for value in values:
                tried = _with(best, name, value)
                if (reaches := quality(cases, tried)) > reached + 1e-9:
                    best, reached = tried, reaches
    return best


def _with(weights: RankingWeights, name: str, value: float) -> RankingWeights:
    changed = {name: value}
    if partner := PARTNERS.get(name):
        changed[partner] = round(1 - value, 6)
    return replace(weights, **changed)  # type: ignore[arg-type]


def _ndcg(case: Case, weights: RankingWeights) -> float:
    ranking = rank(case.candidates, case.question, weights, case.calibration)
    hits = case.wanted[ranking.order[:DEPTH]].astype(np.float64)
    discounts = 1 / np.log2(np.arange(2, len(hits) + 2))
    ideal = discounts[: int(case.wanted.sum())].sum()
    return float((hits * discounts).sum() / ideal) if ideal else 0.0


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
