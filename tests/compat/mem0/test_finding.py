"""Lists and searches with mem0's filters, in all of its versions."""

import pytest
from django.utils import timezone

from memory_core.models import Memory
from memory_core.recall import flushing
from memory_core.saving import transitions
from tests.compat.mem0.client import Mem0

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("vector_space")]


@pytest.fixture
def told(mem0: Mem0) -> Mem0:
    """Three memories of one user, by two agents, in two runs, and one of another."""
    mem0.add_raw("lunch was soup", user_id="u", agent_id="a", run_id="r1",
                 metadata={"meal": "lunch", "price": 9})  # fmt: skip
    mem0.add_raw("dinner was rice", user_id="u", agent_id="b", run_id="r1",
                 metadata={"meal": "dinner", "price": 20})  # fmt: skip
    mem0.add_raw("breakfast was tea", user_id="u", run_id="r2")
    mem0.add_raw("lunch was fish", user_id="somebody else")
    return mem0


SOUP, RICE, TEA, FISH = (
    "lunch was soup",
    "dinner was rice",
    "breakfast was tea",
    "lunch was fish",
)


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"user_id": "u"}, {SOUP, RICE, TEA}),
        ({"AND": [{"user_id": "u"}, {"agent_id": "a"}]}, {SOUP}),
        ({"AND": [{"user_id": "u"}, {"agent_id": "*"}]}, {SOUP, RICE}),
        ({"user_id": "u", "run_id": "r1"}, {SOUP, RICE}),
        ({"user_id": "u", "run_id": {"in": ["r2", "r3"]}}, {TEA}),
        ({"user_id": "u", "NOT": [{"agent_id": "a"}]}, {RICE, TEA}),
        ({"user_id": "u", "agent_id": {"ne": "a"}}, {RICE, TEA}),
        ({"user_id": "u", "metadata": {"meal": "lunch"}}, {SOUP}),
        ({"user_id": "u", "price": {"gte": 10}}, {RICE}),
        ({"user_id": "u", "keywords": {"icontains": "RICE"}}, {RICE}),
        ({"user_id": "u", "categories": {"contains": "event"}}, {SOUP, RICE, TEA}),
        ({"user_id": "u", "created_at": {"gte": "2020-01-01"}}, {SOUP, RICE, TEA}),
        ({"user_id": "u", "created_at": {"lt": "2020-01-01"}}, set()),
        (
            {"OR": [{"user_id": "u", "agent_id": "a"}, {"user_id": "somebody else"}]},
            {SOUP, FISH},
        ),
        ({"user_id": {"in": ["u", "nobody"]}, "run_id": "r2"}, {TEA}),
        ({"agent_id": "a"}, set()),
        ({"AND": [{"user_id": "u"}, {"user_id": "somebody else"}]}, set()),
    ],
)
def test_a_filter_means_in_a_search_what_it_means_in_a_list(
    told: Mem0, filters: dict[str, object], expected: set[str]
):
    assert set(told.listed(filters)) == expected
    assert set(told.search("what were the meals", filters)) == expected


@pytest.mark.parametrize(
    "filters",
    [
        {},
        {"user_id": "*"},
        {"metadata": {"meal": "lunch"}},
        {"NOT": [{"user_id": "u"}]},
        {"OR": [{"user_id": "u"}, {"metadata": {"meal": "lunch"}}]},
    ],
)
def test_a_filter_that_names_no_owner_is_refused(told: Mem0, filters: object):
    for path in ("v3/memories/", "v3/memories/search/"):
        body = {"filters": filters, **({"query": "x"} if "search" in path else {})}
        status, answer = told.call("POST", path, body)
        assert (status, answer["code"]) == (422, "owner_needed")


@pytest.mark.parametrize(
    "filters",
    [
        [1],
        {"user_id": 5},
        {"user_id": "u", "created_at": {"gte": "2026-01-01T00:00:00"}},
        {"user_id": "u", "AND": "x"},
        {"user_id": "u", "metadata": 1},
        {"user_id": {"in": [f"u{n}" for n in range(21)]}},
    ],
)
def test_a_filter_that_cannot_be_read_is_refused(told: Mem0, filters: object):
    status, answer = told.call("POST", "v3/memories/", {"filters": filters})
    assert (status, answer["code"]) == (422, "invalid")


def test_the_older_versions_take_the_names_at_the_top(told: Mem0):
    body = {"query": "what was lunch", "user_id": "u", "limit": 1}
    for path in ("v2/memories/search/", "search"):
        [one] = told.ok("POST", path, body)["results"]
        assert one["memory"] == SOUP
    [bare] = told.ok("POST", "v1/memories/search/", body)
    assert bare["memory"] == SOUP
    listed = told.ok("GET", "v1/memories/", user_id="u", agent_id="b")
    assert [one["memory"] for one in listed] == [RICE]
    paged = told.ok("GET", "memories", user_id="u", run_id="r2")
    assert [one["memory"] for one in paged["results"]] == [TEA]


def test_a_list_comes_in_pages(told: Mem0):
    body = {"filters": {"user_id": "u"}}
    first = told.ok("POST", "v3/memories/", body, page=1, page_size=2)
    assert (first["count"], len(first["results"]), first["previous"]) == (3, 2, None)
    rest = told.ok("POST", "v3/memories/", body, page=2, page_size=2)
    assert (len(rest["results"]), rest["next"]) == (1, None)


def test_a_search_gives_scores_and_leaves_out_what_is_below_the_threshold(told: Mem0):
    body = {"query": "what was lunch", "filters": {"user_id": "u"}}
    found = told.ok("POST", "v3/memories/search/", body)["results"]
    scores = [one["score"] for one in found]
    assert scores == sorted(scores, reverse=True)
    assert set(found[0]["score_breakdown"]) == {"semantic", "bm25", "entity"}
    between = (scores[0] + scores[1]) / 2
    found = told.search("what was lunch", {"user_id": "u"}, threshold=between)
    assert found == [SOUP]


def test_only_the_fields_that_are_named_come(told: Mem0):
    body = {"query": "lunch", "filters": {"user_id": "u"}, "fields": ["memory"]}
    for one in told.ok("POST", "v3/memories/search/", body)["results"]:
        assert set(one) == {"id", "memory"}


def test_a_search_strengthens_what_it_returned_and_nothing_else(told: Mem0):
    told.search("what was lunch", {"user_id": "u", "price": {"lt": 10}})
    flushing.flush()
    served = Memory.unscoped.filter(use__access_count__gt=0)
    assert [memory.content for memory in served] == [SOUP]


def test_what_has_faded_is_listed_and_not_found(told: Mem0):
    soup = Memory.unscoped.filter(content=SOUP)
    transitions.archive(soup.values_list("pk", flat=True), now=timezone.now())
    assert SOUP in told.listed({"user_id": "u"})
    assert SOUP not in told.search("what was lunch", {"user_id": "u"})
