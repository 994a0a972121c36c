from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.embedding import UNCALIBRATED, Calibration
from memory_core.recall.profiles import DEFAULT, RankingWeights
from memory_core.recall.ranking import Candidates, Question, Ranking, rank, standardised

CALIBRATION = Calibration(spaced=0.80, unspaced=0.87, across=0.77, slope=60.0)
QUESTION = Question(ceiling=10.0, unspaced=False)


def candidates(**given: list[float] | list[int] | list[bool]) -> Candidates:
    """Candidates alike in all that is not given."""
    n = len(next(iter(given.values())))
    default = {
        "cosine": [0.8] * n,
        "bm25": [1.0] * n,
        "session": [-1] * n,
        "position": [-1] * n,
        "length": [60.0] * n,
        "score": [0.5] * n,
        "confidence": [1.0] * n,
        "about_named": [False] * n,
        "asks": [False] * n,
        "unspaced": [False] * n,
        "observed_at": [0.0] * n,
    }
    return Candidates(**{k: np.array(v) for k, v in (default | given).items()})


def ranked(found: Candidates, weights: RankingWeights = DEFAULT) -> Ranking:
    return rank(found, QUESTION, weights, CALIBRATION)


def first(found: Candidates, weights: RankingWeights = DEFAULT) -> int:
    return int(ranked(found, weights).order[0])


def test_meaning_and_words_both_lift_a_memory() -> None:
    assert first(candidates(cosine=[0.80, 0.86, 0.80])) == 1
    assert first(candidates(bm25=[0.0, 1.0, 9.0])) == 2


def test_what_a_weak_model_does_not_earn_goes_to_words() -> None:
    by_meaning_or_words = candidates(cosine=[0.86, 0.80, 0.80], bm25=[1.0, 1.0, 3.0])
    weak = replace(CALIBRATION, share=2 / 3)
    ours = rank(by_meaning_or_words, QUESTION, DEFAULT, CALIBRATION)
    theirs = rank(by_meaning_or_words, QUESTION, DEFAULT, weak)
    assert (ours.order[0], theirs.order[0]) == (0, 2)
    assert ours.weights == DEFAULT
    assert theirs.weights.dense == pytest.approx(0.4)  # 0.6 * 2/3
    assert theirs.weights.lexical == pytest.approx(0.6)  # 0.4 + 0.6 * 1/3


def test_the_formula_with_worked_numbers() -> None:
    found = candidates(
        cosine=[0.80], bm25=[5.0], score=[0.4], confidence=[0.6], length=[10.0]
    )
    weights = RankingWeights(
        w_relevance=0.6,
        w_score=0.4,
        relevance_intercept=-1.0,
        relevance_dense=0.5,
        relevance_lexical=2.0,
    )
    answer = ranked(found, weights)
    assert answer.relevance[0] == pytest.approx(0.5)  # -1 + 0.5 * 0 + 2 * 5/10 = 0
    assert answer.rank_score[0] == pytest.approx((0.6 * 0.5 + 0.4 * 0.4) * 0.8)


def test_the_best_of_bad_candidates_does_not_look_relevant() -> None:
    bad = ranked(candidates(cosine=[0.74, 0.76, 0.72], bm25=[0.0, 0.5, 0.0]))
    good = ranked(candidates(cosine=[0.74, 0.90, 0.72], bm25=[0.0, 8.0, 0.0]))
    assert bad.relevance.max() < 0.3
    assert good.relevance.max() > 0.9


def test_relevance_does_not_depend_on_the_company() -> None:
    alone = ranked(candidates(cosine=[0.85], bm25=[4.0]))
    among = ranked(candidates(cosine=[0.85, 0.7, 0.7], bm25=[4.0, 0.0, 0.0]))
    assert alone.relevance[0] == pytest.approx(among.relevance[0])


def test_a_memory_without_a_vector_is_judged_by_its_words() -> None:
    answer = ranked(candidates(cosine=[np.nan, 0.80, 0.80], bm25=[9.0, 0.0, 0.0]))
    assert answer.order[0] == 0
    assert answer.relevance[0] > 0.9


def test_no_vectors_at_all_leave_the_words() -> None:
    found = candidates(cosine=[np.nan] * 3, bm25=[1.0, 6.0, 3.0])
    answer = rank(found, QUESTION, DEFAULT, UNCALIBRATED)
    assert answer.order.tolist() == [1, 2, 0]
    assert np.isfinite(answer.rank_score).all()


def test_no_words_at_all_leave_the_meaning() -> None:
    found = candidates(cosine=[0.8, 0.9, 0.85], bm25=[0.0] * 3)
    answer = rank(found, Question(ceiling=0.0, unspaced=False), DEFAULT, CALIBRATION)
    assert answer.order.tolist() == [1, 2, 0]


def test_no_candidates_give_an_empty_order() -> None:
    answer = ranked(candidates(cosine=[]))
    assert len(answer.order) == len(answer.rank_score) == 0


def test_the_neighbour_of_what_matches_comes_before_a_stranger() -> None:
    found = candidates(
        cosine=[0.9, 0.80, 0.80, 0.78], session=[3, 3, 4, 4], position=[7, 8, 1, 9]
    )
    assert ranked(found).order[:2].tolist() == [0, 1]


def test_neighbours_do_not_reach_into_another_session() -> None:
    weights = RankingWeights(session=0.0)
    found = candidates(cosine=[0.9, 0.8, 0.8], session=[3, 4, 4], position=[7, 8, 20])
    parts = ranked(found, weights).parts["neighbours"]
    assert parts.tolist() == [0.0, 0.0, 0.0]


def test_the_second_neighbour_gets_less_than_the_first() -> None:
    found = candidates(
        cosine=[0.9, 0.8, 0.8, 0.7], session=[3] * 4, position=[5, 6, 7, 50]
    )
    passed = ranked(found, RankingWeights(session=0.0)).parts["neighbours"]
    own = 0.6 * standardised(found.cosine)
    assert passed[2] == pytest.approx(0.1 * own[0] + 0.3 * own[1])
    assert passed[1] == pytest.approx(0.3 * own[0] + 0.2 * own[2])


def test_a_session_that_speaks_of_the_matter_lifts_its_memories() -> None:
    found = candidates(
        cosine=[0.80, 0.88, 0.88, 0.80, 0.70],
        session=[1, 1, 1, 2, -1],
        position=[-1] * 5,
    )
    lifted = ranked(found).parts["session"]
    assert lifted[0] == lifted[1] > 0 > lifted[3]
    assert lifted[4] == 0


def test_the_person_named_in_the_query_is_preferred() -> None:
    assert first(candidates(about_named=[False, True, False])) == 1


def test_a_memory_that_only_asks_comes_after_one_that_tells() -> None:
    assert first(candidates(asks=[True, False])) == 1


def test_a_longer_memory_wins_between_equals() -> None:
    assert first(candidates(length=[20.0, 200.0])) == 1


def test_of_two_equals_the_fresher_score_and_then_the_newer_wins() -> None:
    assert first(candidates(score=[0.2, 0.6])) == 1
    assert first(candidates(observed_at=[1.0, 2.0])) == 1


def test_a_doubtful_memory_comes_after_a_sure_one() -> None:
    assert first(candidates(confidence=[0.1, 1.0])) == 1


def test_a_chinese_question_does_not_prefer_chinese_for_its_script() -> None:
    found = candidates(cosine=[0.865, 0.80], unspaced=[True, False])
    raw = found.cosine
    answer = rank(found, Question(ceiling=10.0, unspaced=True), DEFAULT, CALIBRATION)
    assert raw[0] > raw[1]
    assert answer.order[0] == 1


@given(
    st.lists(
        st.tuples(
            st.floats(0, 1) | st.just(float("nan")),
            st.floats(0, 30),
            st.integers(-1, 3),
            st.integers(-1, 6),
            st.floats(0, 1),
            st.floats(0, 1),
            st.booleans(),
        ),
        max_size=30,
    )
)
def test_any_candidates_get_a_full_order_that_falls_with_the_rank_score(
    rows: list[tuple[float, float, int, int, float, float, bool]],
) -> None:
    cosine, bm25, session, position, score, confidence, asks = (
        zip(*rows, strict=True) if rows else [[]] * 7
    )
    found = candidates(
        cosine=list(cosine),
        bm25=list(bm25),
        session=list(session),
        position=list(position),
        score=list(score),
        confidence=list(confidence),
        asks=list(asks),
    )
    answer = ranked(found)
    assert sorted(answer.order) == list(range(len(rows)))
    assert np.all(np.diff(answer.rank_score[answer.order]) <= 0)
    assert np.all((answer.relevance >= 0) & (answer.relevance <= 1))
    by_fused = answer.relevance[np.argsort(-answer.fused, kind="stable")]
    assert np.all(np.diff(by_fused) <= 0)
