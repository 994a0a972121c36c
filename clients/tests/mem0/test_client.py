"""mem0's own client, unchanged, of its first and its second version."""

from __future__ import annotations

import asyncio
from importlib.metadata import version
from typing import Any

import pytest

mem0 = pytest.importorskip("mem0")

MAJOR = int(version("mem0ai").split(".")[0])


@pytest.fixture
def client(mem0_host: str, fresh: str) -> Any:
    return mem0.MemoryClient(api_key=fresh, host=mem0_host)


def whose(**names: str) -> dict[str, Any]:
    """Return how this version says whose memories it means."""
    return {"filters": names}


def texts(answer: Any) -> list[str]:
    return [one["memory"] for one in answer["results"]]


def test_it_adds_and_finds(client: Any) -> None:
    said = [
        {"role": "user", "content": "我叫小明"},
        {"role": "assistant", "content": "你好，小明！"},
        {"role": "user", "content": "我喜欢蓝色"},
    ]

    added = client.add(said, user_id="user-a")

    assert {one["memory"] for one in added["results"]} == {"我叫小明", "我喜欢蓝色"}
    assert "No language model" in added["message"]
    found = client.search("有什么偏冷的色调建议", **whose(user_id="user-a"))
    assert texts(found)[0] == "我喜欢蓝色"
    assert texts(client.search("颜色", **whose(user_id="user-b"))) == []


def test_it_keeps_raw_texts_with_metadata_and_pages_through_them(client: Any) -> None:
    for number in range(3):
        client.add(
            f"order {number} was shipped",
            user_id="user-a",
            agent_id="shop",
            metadata={"number": number},
            infer=False,
        )

    asked = whose(user_id="user-a", agent_id="shop")
    page = client.get_all(**asked, page=1, page_size=2)
    assert len(page["results"]) == 2
    assert page["count"] == 3
    narrow = {"AND": [{"user_id": "user-a"}, {"metadata": {"number": 1}}]}
    assert texts(client.get_all(filters=narrow)) == ["order 1 was shipped"]
    found = client.search("what was shipped", filters=narrow, top_k=5)
    assert texts(found) == ["order 1 was shipped"]


def test_it_reads_changes_and_deletes_one_memory(client: Any) -> None:
    added = client.add("the car is red", user_id="user-a", infer=False)
    memory_id = added["results"][0]["id"]

    client.update(memory_id, text="the car is green")

    one = client.get(memory_id)
    assert (one["memory"], one["user_id"]) == ("the car is green", "user-a")
    history = client.history(memory_id)
    assert [step["event"] for step in history] == ["ADD", "UPDATE"]
    assert history[-1]["old_memory"] == "the car is red"
    client.delete(memory_id)
    assert texts(client.get_all(**whose(user_id="user-a"))) == []


def test_it_changes_and_deletes_many_at_once(client: Any) -> None:
    ids = [
        client.add(f"fact {n} of many", user_id="user-a", infer=False)["results"][0][
            "id"
        ]
        for n in range(2)
    ]

    client.batch_update([{"memory_id": one, "text": f"now {one}"} for one in ids])
    assert set(texts(client.get_all(**whose(user_id="user-a")))) == {
        f"now {one}" for one in ids
    }
    client.batch_delete([{"memory_id": one} for one in ids])
    assert texts(client.get_all(**whose(user_id="user-a"))) == []


def test_it_forgets_a_user_and_an_agent(client: Any) -> None:
    def names() -> set[tuple[str, str]]:
        return {(one["type"], one["name"]) for one in client.users()["results"]}

    others = names()  # whom other tests told of in the shared namespace
    client.add("I love jazz", user_id="user-a")
    client.add("the build is green", agent_id="ci", infer=False)

    assert names() - others == {("user", "user-a"), ("agent", "ci")}
    client.delete_all(user_id="user-a")
    client.delete_users(agent_id="ci")
    assert names() == others


@pytest.mark.skipif(MAJOR < 2, reason="the first version's call fails by itself")
def test_it_gives_verdicts(client: Any) -> None:
    memory_id = client.add("I love jazz", user_id="user-a")["results"][0]["id"]

    assert client.feedback(memory_id, "POSITIVE")["feedback"] == "POSITIVE"


def test_a_wrong_key_is_an_error_that_it_can_tell(mem0_host: str) -> None:
    with pytest.raises(ValueError, match="token"):
        mem0.MemoryClient(api_key="mnm_wrong", host=mem0_host)


def test_its_errors_are_of_their_kind_and_say_why(client: Any) -> None:
    from mem0.exceptions import MemoryError, MemoryNotFoundError, ValidationError

    with pytest.raises(MemoryNotFoundError) as missing:
        client.get("0b6f3a52-0000-7000-8000-000000000000")
    assert "Nothing here" in str(missing.value)
    with pytest.raises(ValidationError, match="kept by owner"):
        client.search("x", filters={"metadata": {"a": "b"}})
    with pytest.raises(MemoryError, match="no exports"):
        client.create_memory_export(schema="{}", user_id="user-a")


@pytest.mark.skipif(MAJOR < 2, reason="older clients have no such options")
def test_what_came_with_the_second_version(client: Any) -> None:
    added = client.add("a voucher for tea", user_id="u", infer=False)
    memory_id = added["results"][0]["id"]

    client.update(memory_id, expiration_date="2031-01-31")
    assert client.get(memory_id)["expiration_date"] == "2031-01-31"
    client.update(memory_id, expiration_date=None)
    assert client.get(memory_id)["expiration_date"] is None
    client.delete(memory_id, delete_linked=True)
    client.add("another voucher", user_id="u", infer=False)
    client.delete_all(filters={"user_id": "u"})
    assert texts(client.get_all(filters={"user_id": "u"})) == []


@pytest.mark.skipif(MAJOR > 1, reason="the second version names owners in filters")
def test_the_first_version_names_owners_at_the_top(client: Any) -> None:
    client.add("I love jazz", user_id="user-a")

    found = client.search("music", user_id="user-a", limit=3)
    assert texts(found) == ["I love jazz"]
    assert texts(client.get_all(user_id="user-a")) == ["I love jazz"]


def test_the_asynchronous_client_does_the_same(mem0_host: str, fresh: str) -> None:
    async def scenario() -> list[str]:
        client = mem0.AsyncMemoryClient(api_key=fresh, host=mem0_host)
        await client.add("I love jazz", user_id="user-a")
        return texts(await client.search("music", **whose(user_id="user-a")))

    assert asyncio.run(scenario()) == ["I love jazz"]
