from itertools import islice

import numpy as np
import pytest

from memory_core.saving.relation.labelled import LabelledPair
from memory_core.saving.relation.model import KINDS
from memory_core.saving.relation.scales import measure_scale, scaled
from memory_core.saving.relation.scenarios import scenarios, teaching_pairs
from memory_core.saving.relation.stores import beside
from memory_core.saving.relation.training import (
    Settings,
    cross_validate,
    examples,
    trained_weights,
)

QUICK = Settings(rounds=20)


@pytest.fixture(scope="module")
def pairs():
    return list(islice(teaching_pairs(), 0, None, 6))


def test_training_learns_its_examples_without_any_vector(pairs):
    data = examples(pairs, {})
    found = trained_weights(data, {}, QUICK).probabilities(data.rows[""])
    labels = np.array([KINDS.index(p.kind) for p in pairs])
    assert (found.argmax(axis=1) == labels).mean() > 0.8
    assert found.sum(axis=1) == pytest.approx(np.ones(len(pairs)))


def test_training_twice_gives_the_same_weights(pairs):
    data = examples(pairs[::3], {})
    one, other = (trained_weights(data, {}, QUICK) for _ in range(2))
    assert np.array_equal(
        one.probabilities(data.rows[""]), other.probabilities(data.rows[""])
    )


def test_cross_validation_judges_every_pair(pairs):
    found = cross_validate(pairs[::2], pairs[1::2], {}, count=2, settings=QUICK)
    assert found[""].sum(axis=1) == pytest.approx(np.ones(len(pairs[::2])))


def test_a_scale_is_0_for_strangers_and_1_for_rewordings(embedder):
    some = [
        LabelledPair(s.statement, s.marked("d")[0], "duplicate")
        for s in scenarios()[:20]
        if s.marked("d")
    ]
    scale = measure_scale(embedder.embed_passages, some)
    assert scale[0] < scale[1]
    assert scaled(scale[0], scale) == 0.0
    assert scaled(scale[1], scale) == 1.0
    assert scaled(-1.0, scale) == -0.5


def test_the_nearest_memories_of_a_store_are_distinct_examples(embedder):
    pair = LabelledPair("I like tea", "I drink tea", "duplicate")
    stores = {"one": ["The train was late", "Green tea is what I drink"]}
    found = beside([pair], stores, embedder.embed_passages)
    assert [(p.old, p.new, p.kind) for p in found] == [
        ("Green tea is what I drink", "I drink tea", "distinct")
    ]


def test_a_kind_without_examples_cannot_be_learned(pairs):
    data = examples([p for p in pairs if p.kind != "refines"], {})
    with pytest.raises(ValueError, match="every kind"):
        trained_weights(data, {}, QUICK)
