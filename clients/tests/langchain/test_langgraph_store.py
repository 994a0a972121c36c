"""LangGraph's store interface over every back end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta, timezone

import pytest
from conftest import Place
from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)

from mneme import MemoryStore
from mneme.adapters.langgraph import MnemeStore

NOTES = ("notes", "user-1")


class Clock:
    def __init__(self) -> None:
        self.now = datetime.now(timezone.utc)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def graph_store(store: MemoryStore, clock: Clock) -> MnemeStore:
    return MnemeStore(store, "user-1", clock=clock)


def keys(items: list) -> list[str]:
    return sorted(item.key for item in items)


def test_put_then_get_gives_the_same_value(graph_store: MnemeStore) -> None:
    value = {"text": "likes blue", "n": 1, "deep": {"list": [1, None, True]}}

    graph_store.put(NOTES, "k1", value)
    item = graph_store.get(NOTES, "k1")

    assert item is not None
    assert (item.value, item.key, item.namespace) == (value, "k1", NOTES)
    assert item.created_at.tzinfo is not None
    assert item.updated_at >= item.created_at
    assert graph_store.get(NOTES, "k2") is None
    assert graph_store.get(("notes",), "k1") is None


def test_put_is_an_upsert(graph_store: MnemeStore) -> None:
    graph_store.put(NOTES, "k1", {"text": "likes blue"})
    graph_store.put(NOTES, "k1", {"text": "likes black"})

    assert graph_store.get(NOTES, "k1").value == {"text": "likes black"}
    assert len(graph_store.search(NOTES)) == 1


def test_equal_values_under_two_keys_are_two_items(graph_store: MnemeStore) -> None:
    graph_store.put(NOTES, "k1", {"text": "likes blue"})
    graph_store.put(NOTES, "k2", {"text": "likes blue"})

    assert keys(graph_store.search(NOTES)) == ["k1", "k2"]
    graph_store.delete(NOTES, "k1")
    assert graph_store.get(NOTES, "k1") is None
    assert graph_store.get(NOTES, "k2") is not None


def test_the_same_key_in_two_namespaces_is_two_items(graph_store: MnemeStore) -> None:
    graph_store.put(("a", "b"), "c", {"text": "one"})
    graph_store.put(("a",), "c", {"text": "two"})

    assert graph_store.get(("a", "b"), "c").value == {"text": "one"}
    assert keys(graph_store.search(("a",))) == ["c", "c"]


def test_deleting_what_is_not_there_is_fine(graph_store: MnemeStore) -> None:
    graph_store.delete(NOTES, "none")


def test_search_finds_by_meaningful_words_and_scores(graph_store: MnemeStore) -> None:
    graph_store.put(NOTES, "k1", {"text": "用户喜欢蓝色"})
    graph_store.put(NOTES, "k2", {"text": "the project is due on friday"})
    graph_store.put(("other",), "k3", {"text": "用户喜欢蓝色的衬衫"})

    hits = graph_store.search(NOTES, query="蓝色")

    assert hits[0].key == "k1"
    assert 0 < hits[0].score <= 1
    assert "k3" not in keys(hits)
    assert {"k1", "k3"} <= set(keys(graph_store.search((), query="蓝色")))


def test_search_without_a_query_pages(graph_store: MnemeStore) -> None:
    for number in range(5):
        graph_store.put(NOTES, f"k{number}", {"text": f"note {number}"})

    first = graph_store.search(NOTES, limit=3)
    rest = graph_store.search(NOTES, limit=3, offset=3)

    assert keys(first + rest) == ["k0", "k1", "k2", "k3", "k4"]
    assert {item.score for item in first} == {None}


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"kind": "report"}, ["a", "b"]),
        ({"n": {"$gt": 1}}, ["b", "c"]),
        ({"n": {"$gte": 1, "$lt": 3}}, ["a", "b"]),
        ({"n": {"$lte": 1}}, ["a"]),
        ({"kind": {"$ne": "report"}}, ["c", "d"]),
        ({"kind": {"$eq": "memo"}}, ["c"]),
        ({"who": {"name": "Ann"}}, ["a"]),
        ({"list": [1, 2]}, ["b"]),
        ({"kind": {"$gt": "memo"}}, ["a", "b"]),
        ({"missing": 1}, []),
    ],
)
def test_filters_compare_values(
    graph_store: MnemeStore, wanted: dict, expected: list[str]
) -> None:
    values = {
        "a": {"kind": "report", "n": 1, "who": {"name": "Ann", "age": 3}},
        "b": {"kind": "report", "n": 2, "list": [1, 2]},
        "c": {"kind": "memo", "n": 3},
        "d": {"text": "lunch at noon"},
    }
    for key, value in values.items():
        graph_store.put(NOTES, key, value)

    assert keys(graph_store.search(NOTES, filter=wanted)) == expected


def test_an_unknown_operator_is_an_error(graph_store: MnemeStore) -> None:
    graph_store.put(NOTES, "k1", {"n": 1})

    with pytest.raises(ValueError, match="Unsupported operator"):
        graph_store.search(NOTES, filter={"n": {"$regex": "x"}})


def test_only_the_named_fields_are_searched(
    graph_store: MnemeStore, store: MemoryStore
) -> None:
    value = {"title": "umbrella", "body": {"text": "violin"}}
    graph_store.put(NOTES, "k1", value, index=["body.text"])
    graph_store.put(NOTES, "k2", value, index=False)

    assert keys(graph_store.search(NOTES, query="violin")) == ["k1"]
    assert "k2" not in keys(graph_store.search(NOTES, query="umbrella"))
    assert graph_store.get(NOTES, "k2").value == value
    (memory,) = store.search("violin", owner_id="user-1", limit=1)
    assert memory.item.content == "violin"


def test_namespaces_are_listed_by_prefix_suffix_and_depth(
    graph_store: MnemeStore,
) -> None:
    for path in (("a", "b", "c"), ("a", "b", "d"), ("a", "x"), ("z", "c")):
        graph_store.put(path, "k", {"text": "/".join(path)})

    assert graph_store.list_namespaces() == [
        ("a", "b", "c"),
        ("a", "b", "d"),
        ("a", "x"),
        ("z", "c"),
    ]
    assert graph_store.list_namespaces(prefix=("a", "b"), max_depth=2) == [("a", "b")]
    assert graph_store.list_namespaces(suffix=("c",)) == [("a", "b", "c"), ("z", "c")]
    assert graph_store.list_namespaces(prefix=("a", "*", "c")) == [("a", "b", "c")]
    assert graph_store.list_namespaces(limit=1, offset=2) == [("a", "x")]


def test_an_item_expires_after_its_minutes(
    graph_store: MnemeStore, clock: Clock, place: Place
) -> None:
    if place.kind == "real":
        pytest.skip("a service has a clock of its own")
    graph_store.put(NOTES, "k1", {"text": "short lived"}, ttl=10)
    graph_store.put(NOTES, "k2", {"text": "stays"})

    clock.now += timedelta(minutes=9)
    assert graph_store.get(NOTES, "k1", refresh_ttl=False) is not None
    clock.now += timedelta(minutes=2)

    assert graph_store.get(NOTES, "k1") is None
    assert keys(graph_store.search(NOTES)) == ["k2"]
    assert keys(graph_store.search(NOTES, query="lived stays")) == ["k2"]


def test_reading_renews_the_minutes(graph_store: MnemeStore, clock: Clock) -> None:
    graph_store.put(NOTES, "k1", {"text": "short lived"}, ttl=10)

    for _ in range(3):
        clock.now += timedelta(minutes=9)
        assert graph_store.get(NOTES, "k1") is not None
        clock.now += timedelta(minutes=9)
        assert keys(graph_store.search(NOTES)) == ["k1"]


def test_a_batch_answers_in_order(graph_store: MnemeStore) -> None:
    graph_store.put(NOTES, "k1", {"text": "one"})

    results = graph_store.batch(
        [
            GetOp(NOTES, "k1"),
            PutOp(NOTES, "k2", {"text": "lost"}),
            PutOp(NOTES, "k2", {"text": "two"}),
            SearchOp(NOTES),
            ListNamespacesOp((MatchCondition("prefix", ("notes",)),)),
            GetOp(NOTES, "none"),
            PutOp(NOTES, "k1", None),
        ]
    )

    assert results[0].value == {"text": "one"}
    assert results[1:3] == [None, None]
    assert keys(results[3]) == ["k1"]
    assert results[4] == [NOTES]
    assert results[5:] == [None, None]
    assert [item.value for item in graph_store.search(NOTES)] == [{"text": "two"}]


@pytest.mark.parametrize("namespace", [("a.b",), ("",), ("langgraph", "x")])
def test_a_bad_namespace_is_refused(graph_store: MnemeStore, namespace: tuple) -> None:
    with pytest.raises(InvalidNamespaceError):
        graph_store.put(namespace, "k", {"text": "x"})


def test_the_owner_can_be_a_label_and_nobody_sees_another(store: MemoryStore) -> None:
    owner: Callable[[tuple[str, ...]], str] = lambda namespace: namespace[1]  # noqa: E731
    graph_store = MnemeStore(store, owner)
    graph_store.put(("notes", "ann"), "k", {"text": "likes tea"})
    graph_store.put(("notes", "bob"), "k", {"text": "likes coffee"})

    assert graph_store.get(("notes", "ann"), "k").value == {"text": "likes tea"}
    hits = graph_store.search(("notes", "bob"), query="likes")
    assert [hit.value["text"] for hit in hits] == ["likes coffee"]
    for prefix in ((), ("notes",)):
        with pytest.raises(ValueError, match="names no owner"):
            graph_store.search(prefix)


def test_the_asynchronous_methods_do_the_same(graph_store: MnemeStore) -> None:
    async def scenario() -> None:
        await graph_store.aput(NOTES, "k1", {"text": "likes blue"})
        assert (await graph_store.aget(NOTES, "k1")).value == {"text": "likes blue"}
        assert keys(await graph_store.asearch(NOTES, query="blue")) == ["k1"]
        assert await graph_store.alist_namespaces() == [NOTES]
        await graph_store.adelete(NOTES, "k1")
        assert await graph_store.aget(NOTES, "k1") is None

    asyncio.run(scenario())


def test_a_graph_reaches_the_store(graph_store: MnemeStore) -> None:
    from langgraph.graph import START, MessagesState, StateGraph
    from langgraph.runtime import Runtime

    def remember(state: MessagesState, runtime: Runtime) -> dict:
        runtime.store.put(NOTES, "last", {"text": state["messages"][-1].text})
        return {}

    builder = StateGraph(MessagesState)
    builder.add_node("remember", remember)
    builder.add_edge(START, "remember")
    graph = builder.compile(store=graph_store)
    graph.invoke({"messages": [("user", "我喜欢蓝色")]})

    assert graph_store.get(NOTES, "last").value == {"text": "我喜欢蓝色"}
