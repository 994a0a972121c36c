"""Many live scores at once are what each alone would be."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from memory_core.scoring import Policy, Strength, live_score
from memory_core.scoring.arrays import Strengths, live_scores

NOW = datetime(2026, 11, 1, tzinfo=UTC)
CASES = [
    (Strength(0.6, NOW - timedelta(days=30)), Policy(30)),
    (Strength(0.6, NOW - timedelta(days=90), accesses=5), Policy(30)),
    (Strength(0.9, NOW - timedelta(days=400), accesses=90), Policy(30, bonus_cap=0.1)),
    (Strength(0.6, NOW - timedelta(days=900), permanent=True), Policy(7)),
    (Strength(0.6, NOW + timedelta(days=2)), Policy(7)),
    (Strength(0.4, NOW - timedelta(days=300)), Policy(7, floor=0.25)),
    (
        Strength(0.6, NOW - timedelta(days=99), deadline=NOW + timedelta(days=1)),
        Policy(15, has_deadline=True),
    ),
    (
        Strength(0.6, NOW - timedelta(days=99), deadline=NOW - timedelta(days=15)),
        Policy(15, has_deadline=True),
    ),
]


def test_arrays_agree_with_the_single_score():
    nan = float("nan")
    heeded = [s.deadline if p.has_deadline else None for s, p in CASES]
    strengths = Strengths(
        base=np.array([s.base for s, _ in CASES]),
        since=np.array([s.since.timestamp() for s, _ in CASES]),
        accesses=np.array([float(s.accesses) for s, _ in CASES]),
        permanent=np.array([s.permanent for s, _ in CASES]),
        deadline=np.array([nan if d is None else d.timestamp() for d in heeded]),
        half_life=np.array([p.half_life for _, p in CASES]),
        floor=np.array([p.floor for _, p in CASES]),
        bonus_cap=np.array([p.bonus_cap for _, p in CASES]),
    )
    one_by_one = [live_score(s, p, now=NOW) for s, p in CASES]
    assert live_scores(strengths, now=NOW.timestamp()) == pytest.approx(one_by_one)
    assert one_by_one[0] == pytest.approx(0.3)
