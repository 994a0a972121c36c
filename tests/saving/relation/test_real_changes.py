"""Real changes, and what only sounds like one: pairs written for it (CC0-1.0)."""

import json
from pathlib import Path

import pytest

from memory_core.contracts.relation import Statement
from memory_core.saving.relation import relate

FILE = Path(__file__).parent / "real_changes.jsonl"
ROWS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def told(relation, figures=None):
    """Pairs with a label; with or without those about the figures alone."""
    return [
        (row["a"], row["b"])
        for row in ROWS
        if row["relation"] == relation
        and figures in (None, row["kind"].endswith("figure"))
    ]


@pytest.mark.parametrize(("old", "new"), told("distinct"))
def test_what_is_not_so_now_changes_nothing(kind, old, new):
    assert kind(old, new) in ("distinct", "refines")


@pytest.mark.parametrize(("old", "new"), told("update", figures=True))
def test_another_sign_unit_or_bound_is_another_value(kind, old, new):
    assert kind(old, new) != "duplicate"


@pytest.mark.parametrize(("old", "new"), told("duplicate"))
def test_one_value_may_be_written_in_several_ways(kind, old, new):
    assert kind(old, new) == "duplicate"


def test_real_changes_still_replace(statement):
    pairs = told("update", figures=False)
    kinds = [relate(statement(old), statement(new)).kind for old, new in pairs]
    assert "duplicate" not in kinds
    assert kinds.count("supersede") >= 0.83 * len(pairs)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Munich", "I never lived in Munich, I live in Bonn"),
        ("I live in Berlin", "I almost moved to Bonn, but now I live in Munich"),
        ("The theme is light", "I want to switch to the dark theme"),
    ],
)
def test_what_is_stated_beside_it_replaces(kind, old, new):
    assert kind(old, new) == "supersede"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Berlin", "I live in Berlin, but I might move to Munich"),
        ("我住在北京", "我住在北京，不过打算搬到上海"),
    ],
)
def test_a_plan_beside_a_known_fact_is_not_swallowed(kind, old, new):
    assert kind(old, new) in ("distinct", "refines")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I plan to move to Munich", "I moved to Munich"),
        ("我打算搬到上海", "我搬到上海了"),
        ("我想养一只猫", "我养了一只猫了"),
        ("I dreamt that I live in Rome", "I live in Rome"),
    ],
)
def test_what_came_true_is_more_than_the_plan(kind, old, new):
    assert kind(old, new) != "duplicate"


def test_a_plan_needs_no_vector_to_change_nothing():
    relation = relate(Statement("我住在北京"), Statement("我计划搬到上海"))
    assert relation.kind == "distinct"
    assert relation.signals["p_supersede"] == 0.0
