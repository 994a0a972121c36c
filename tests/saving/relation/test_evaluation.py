import numpy as np
import pytest

from memory_core.contracts.relation import Relation
from memory_core.saving.relation.evaluation import (
    curve,
    precision_at_recall,
    summary,
    verdict,
    with_equal_texts,
)
from memory_core.saving.relation.labelled import LabelledPair
from memory_core.saving.relation.model import KINDS

KINDS_OF_FOUR = ("duplicate", "duplicate", "distinct", "supersede")
PAIRS = [
    LabelledPair(f"old {i}", f"new {i}", kind) for i, kind in enumerate(KINDS_OF_FOUR)
]
# duplicate, supersede, refines, distinct
SURE = np.array(
    [[0.9, 0.0, 0.0, 0.1], [0.6, 0.1, 0.0, 0.3], [0.8, 0.0, 0.0, 0.2], [0.1, 0.9, 0, 0]]
)


def relation(kind, **p):
    signals = {f"p_{k}": p.get(k, 0.0) for k in KINDS}
    return Relation(kind, signals[f"p_{kind}"], signals, "v")


def test_precision_is_counted_where_enough_of_the_kind_is_found():
    assert precision_at_recall(SURE, PAIRS, "duplicate", recall=0.5) == 1.0
    assert precision_at_recall(SURE, PAIRS, "duplicate", recall=0.7) == pytest.approx(
        2 / 3
    )


def test_a_kind_that_is_not_there_has_no_precision():
    assert precision_at_recall(SURE, PAIRS, "refines") == 0.0


def test_a_curve_tells_precision_recall_and_harm():
    points = {p.threshold: p for p in curve(SURE, PAIRS, "duplicate")}
    assert (points[0.7].precision, points[0.7].recall, points[0.7].harmed) == (
        0.5,
        0.5,
        1,
    )
    assert points[0.95].recall == 0.0


def test_equal_texts_are_certain_duplicates():
    pairs = [LabelledPair("I like tea", "i like TEA.", "duplicate")]
    assert with_equal_texts(np.full((1, 4), 0.25), pairs)[0].tolist() == [1, 0, 0, 0]


def test_a_summary_names_both_acting_kinds():
    assert set(summary(SURE, PAIRS)) == {"duplicate", "supersede"}


def test_refining_is_no_verdict_of_its_own():
    row = verdict(relation("refines", refines=0.7, duplicate=0.2, distinct=0.1))
    assert row == {"verdict": "distinct", "p": 0.8}


def test_a_verdict_carries_its_own_probability():
    row = verdict(relation("supersede", supersede=0.9, distinct=0.1))
    assert row == {"verdict": "supersede", "p": 0.9}
