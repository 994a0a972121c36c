"""mem0's filters by themselves."""

from datetime import UTC, datetime
from typing import Any

import pytest

from api.compat.mem0 import filters
from api.compat.mem0.dates import day_of, span_of
from api.compat.mem0.finding import pushed_down
from api.compat.mem0.matching import matches
from api.compat.mem0.owners import OwnerNeeded, owners
from memory_core.contracts.recall import Narrowing
from memory_core.exceptions import InvalidInput

RECORD: dict[str, Any] = {
    "id": "1",
    "memory": "Lunch was Soup",
    "user_id": "u",
    "agent_id": None,
    "run_id": "r",
    "categories": ["event", "food"],
    "metadata": {"price": 9, "kind": "hot", "tags": ["a"], "deep": {"x": 1}},
    "created_at": "2026-03-02T10:00:00+00:00",
    "expiration_date": None,
}


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({}, True),
        ({"AND": []}, True),
        ({"OR": []}, False),
        ({"NOT": {"user_id": "u"}}, False),
        ({"NOT": [{"user_id": "x"}, {"run_id": "y"}]}, True),
        ({"$or": [{"user_id": "x"}, {"run_id": "r"}]}, True),
        ({"agent_id": "*"}, False),
        ({"price": {"gt": 8, "lt": 10}}, True),
        ({"price": {"gt": "8"}}, False),
        ({"kind": {"in": ["cold", "hot"]}}, True),
        ({"kind": {"nin": ["cold", "hot"]}}, False),
        ({"missing": {"ne": "x"}}, True),
        ({"tags": "a"}, True),
        ({"metadata": {"deep": {"x": 1}}}, True),
        ({"categories": {"in": ["food"]}}, True),
        ({"categories": ["drink"]}, False),
        ({"categories": {"contains": "foo"}}, False),
        ({"keywords": {"contains": "soup"}}, False),
        ({"keywords": {"icontains": "soup"}}, True),
        ({"memory_ids": ["1", "2"]}, True),
        ({"created_at": "2026-03-02"}, True),
        ({"created_at": {"lte": "2026-03-02"}}, True),
        ({"created_at": {"lt": "2026-03-02"}}, False),
        ({"created_at": {"gt": "2026-03-02"}}, False),
        ({"created_at": {"gt": "2026-03-02T17:59:59+08:00"}}, True),
        ({"created_at": {"ne": "2026-03-02"}}, False),
        ({"created_at": {"gte": 1_772_000_000}}, True),
        ({"expiration_date": {"lt": "2030-01-01"}}, False),
    ],
)
def test_what_a_filter_means(sent: dict[str, Any], expected: bool):
    assert matches(filters.read(sent), RECORD) is expected


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({"user_id": "a"}, ["a"]),
        ({"user_id": "a", "agent_id": "x"}, ["a"]),
        ({"agent_id": "x", "run_id": "r"}, ["agent:x"]),
        ({"app_id": "x", "run_id": "r"}, ["app:x"]),
        ({"run_id": "r"}, ["run:r"]),
        ({"OR": [{"user_id": "a"}, {"agent_id": "x"}]}, ["a", "agent:x"]),
        ({"user_id": "a", "OR": [{"agent_id": "x"}, {"agent_id": "y"}]}, ["a"]),
        ({"AND": [{"user_id": ["a", "b"]}, {"user_id": ["b", "c"]}]}, ["b"]),
        ({"AND": [{"user_id": "a"}, {"user_id": "b"}]}, []),
        ({"user_id": "a", "NOT": [{"user_id": "b"}]}, ["a"]),
    ],
)
def test_whose_memories_a_filter_means(sent: dict[str, Any], expected: list[str]):
    assert owners(filters.read(sent)) == expected


@pytest.mark.parametrize(
    "sent",
    [{}, {"user_id": "*"}, {"user_id": {"ne": "a"}}, {"OR": [{"user_id": "a"}, {}]}],
)
def test_a_way_to_match_without_an_owner_is_refused(sent: dict[str, Any]):
    with pytest.raises(OwnerNeeded):
        owners(filters.read(sent))


@pytest.mark.parametrize(
    "sent",
    [
        {"user_id": "a", "price": list(range(1001))},
        {"user_id": "a", "AND": [{}] * 1001},
        {"user_id": "a", "created_at": {"in": ["2026-03-02"] * 65}},
        {"user_id": "a", 1: 2},
    ],
)
def test_a_filter_that_would_be_compared_for_hours_is_refused(sent: dict[str, Any]):
    with pytest.raises(InvalidInput):
        filters.read(sent)


def test_filters_are_bounded():
    deep: dict[str, Any] = {"user_id": "a"}
    for _ in range(10):
        deep = {"AND": [deep]}
    many = {"OR": [{"user_id": str(n)} for n in range(70)]}
    product = {
        "AND": [
            {"OR": [{"user_id": "a", f"k{n}": 1}, {"user_id": "a", f"k{n}": 2}]}
            for n in range(8)
        ]
    }
    for sent in (deep, many, product):
        with pytest.raises(InvalidInput):
            owners(filters.read(sent))


def test_plain_filters_are_left_to_the_database():
    tree = filters.read({"user_id": "u", "agent_id": "a", "run_id": "r"})
    expected = Narrowing(metadata={"agent_id": "a"}, sessions=("r",))
    assert pushed_down(tree, "u") == expected
    assert pushed_down(filters.read({"agent_id": "a"}), "agent:a") == Narrowing()
    for sent in ({"NOT": [{"run_id": "r"}]}, {"price": 1}, {"agent_id": "*"}):
        assert pushed_down(filters.read({"user_id": "u", **sent}), "u") is None


def test_a_day_is_all_of_its_moments_and_holds_until_its_end():
    first, last = span_of("2026-02-28") or (None, None)
    assert first == datetime(2026, 2, 28, tzinfo=UTC)
    assert last is not None
    assert last.day == 28
    assert day_of(datetime(2026, 3, 1, tzinfo=UTC)) == "2026-02-28"
    for wrong in ("2026-02-30", "2026-02-28T10:00:00", True, None, 1e30, "soon"):
        assert span_of(wrong) is None
