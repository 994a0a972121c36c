import json

import pytest

from memory_core.recall.profiles import DEFAULT, RankingWeights


def test_weights_survive_storage() -> None:
    weights = RankingWeights(lexical=0.7, session_best=5)
    stored = json.loads(json.dumps(weights.to_dict()))
    assert RankingWeights.from_dict(stored) == weights


def test_weights_that_are_not_stored_keep_their_default() -> None:
    assert RankingWeights.from_dict({}) == DEFAULT
    assert RankingWeights.from_dict({"w_score": 0.4}).w_relevance == DEFAULT.w_relevance


def test_an_unknown_weight_is_named() -> None:
    with pytest.raises(ValueError, match="recency"):
        RankingWeights.from_dict({"recency": 1.0})


@pytest.mark.parametrize("value", [float("nan"), "0.6", None])
def test_a_weight_that_is_no_number_is_named(value: float) -> None:
    with pytest.raises(ValueError, match="dense"):
        RankingWeights.from_dict({"dense": value})
