"""The arithmetic of forgetting, pinned with worked numbers."""

from datetime import UTC, datetime, timedelta

import pytest

from memory_core.scoring import (
    Policy,
    Strength,
    base_at_birth,
    decay,
    gain_for_rank,
    live_score,
    may_gain,
    reinforced,
)

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
PREFERENCE = Policy(half_life=60)
TASK = Policy(half_life=15, has_deadline=True)


def days_ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


def test_six_tenths_is_three_tenths_after_one_half_life():
    assert live_score(
        Strength(0.6, days_ago(60)), PREFERENCE, now=NOW
    ) == pytest.approx(0.3)


def test_two_half_lives_leave_a_quarter():
    assert decay(Strength(1.0, days_ago(120)), PREFERENCE, now=NOW) == pytest.approx(
        0.25
    )


def test_five_accesses_add_five_hundredths():
    used = Strength(0.6, days_ago(60), accesses=5)
    assert live_score(used, PREFERENCE, now=NOW) == pytest.approx(0.35)


def test_the_access_bonus_ends_at_its_cap():
    used = Strength(0.6, days_ago(60), accesses=500)
    assert live_score(used, PREFERENCE, now=NOW) == pytest.approx(0.5)


def test_archiving_looks_past_the_access_bonus():
    used = Strength(0.6, days_ago(120), accesses=20)
    score = live_score(used, PREFERENCE, now=NOW, with_bonus=False)
    assert score == pytest.approx(0.15)


def test_the_score_never_passes_one():
    assert live_score(Strength(1.0, NOW, accesses=20), PREFERENCE, now=NOW) == 1.0


def test_the_score_never_falls_below_its_floor():
    kept = Policy(half_life=1, floor=0.25)
    assert live_score(Strength(0.6, days_ago(100)), kept, now=NOW) == 0.25


def test_a_memory_observed_in_2023_and_loaded_today_has_the_age_of_2023():
    observed = datetime(2023, 11, 30, 12, tzinfo=UTC)
    half_lives = (NOW - observed).days / 60
    assert decay(Strength(0.6, observed), PREFERENCE, now=NOW) == pytest.approx(
        0.5**half_lives
    )


def test_an_observation_ahead_of_the_clock_is_not_older_than_new():
    ahead = Strength(0.6, NOW + timedelta(minutes=5))
    assert live_score(ahead, PREFERENCE, now=NOW) == 0.6


def test_permanent_never_decays():
    ancient = Strength(0.6, days_ago(10_000), permanent=True)
    assert live_score(ancient, PREFERENCE, now=NOW) == 0.6


@pytest.mark.parametrize(
    ("days_to_deadline", "left"), [(30, 1.0), (0, 1.0), (-15, 0.5)]
)
def test_a_task_keeps_full_value_up_to_its_deadline(days_to_deadline, left):
    task = Strength(0.6, days_ago(90), deadline=NOW + timedelta(days=days_to_deadline))
    assert decay(task, TASK, now=NOW) == pytest.approx(left)


def test_a_task_without_a_deadline_fades_like_the_rest():
    assert decay(Strength(0.6, days_ago(15)), TASK, now=NOW) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("kind", "importance", "base"),
    [
        ("user_input", None, 0.6),
        ("inference", None, 0.4),
        ("tool_result", None, 0.3),
        ("user_input", 1.0, 0.8),
        ("user_input", 0.0, 0.4),
        ("tool_result", 0.0, 0.2),
        ("inference", 0.75, 0.5),
    ],
)
def test_birth_by_source_and_importance(kind, importance, base):
    assert base_at_birth(kind, importance) == pytest.approx(base)


@pytest.mark.parametrize(
    ("rank", "gain"), [(1, 0.1), (2, 0.05), (5, 0.05), (6, 0.0), (50, 0.0)]
)
def test_gain_by_rank(rank, gain):
    assert gain_for_rank(rank) == gain


def test_a_gain_is_added_to_the_decayed_base():
    assert reinforced(0.6, 0.5, 0.1) == pytest.approx(0.4)


def test_the_base_never_passes_one():
    assert reinforced(0.98, 1.0, 0.1) == 1.0


def test_an_hour_lies_between_two_gains_without_a_session():
    assert may_gain(None, now=NOW)
    assert not may_gain(NOW - timedelta(minutes=59), now=NOW)
    assert may_gain(NOW - timedelta(hours=1), now=NOW)
