import math

import numpy as np
import pytest

from memory_core.lexical import K1, ceiling, idf, saturation


def test_a_rare_term_weighs_more_and_one_that_all_have_almost_nothing() -> None:
    rare, common, everywhere = idf([1, 50, 100], 100)
    assert rare > common > everywhere > 0
    assert rare == pytest.approx(math.log(1 + 99.5 / 1.5))


def test_a_frequency_above_the_number_of_memories_does_no_harm() -> None:
    assert idf(12, 10) == idf(10, 10)


def test_one_occurrence_in_a_text_of_average_length_counts_as_one() -> None:
    assert saturation(1, 20, 20.0) == pytest.approx(1.0)


def test_repetition_saturates() -> None:
    values = saturation([1, 2, 4, 1000], 20, 20.0)
    assert np.all(np.diff(values) > 0)
    assert values[-1] < 1 + K1


def test_a_long_text_counts_less() -> None:
    assert saturation(1, 80, 20.0) < saturation(1, 20, 20.0) < saturation(1, 5, 20.0)


def test_the_ceiling_is_what_a_memory_with_every_term_scores() -> None:
    query, frequency = {"blue": 1, "cat": 2}, {"blue": 3, "cat": 1}
    score = sum(
        count * float(idf(frequency[term], 10) * saturation(1, 7, 7.0))
        for term, count in query.items()
    )
    assert ceiling(query, frequency, 10) == pytest.approx(score)


def test_terms_that_no_memory_has_raise_the_ceiling() -> None:
    assert ceiling({"blue": 1, "x": 1}, {"blue": 3}, 10) > ceiling(
        {"blue": 1}, {"blue": 3}, 10
    )


def test_no_terms_no_ceiling() -> None:
    assert ceiling({}, {}, 10) == 0.0
