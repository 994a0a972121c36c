"""The MCP server as the official client sees it, on stdio and over HTTP."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from support.tokens import fresh_token

import mneme
from mneme import MemoryItem

CLIENTS = Path(__file__).parents[2]
GRAPH_TOOLS = {
    *("create_entities", "create_relations", "add_observations", "delete_entities"),
    *("delete_observations", "delete_relations", "read_graph", "search_nodes"),
    "open_nodes",
}


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A file; with `MNEME_TEST_URL` the real service, with a token of its own."""
    real = os.environ.get("MNEME_TEST_URL")
    if real is None:
        return (tmp_path / "memories.jsonl").as_uri()
    monkeypatch.setenv("MNEME_TOKEN", fresh_token())
    return real


def over_stdio(url: str, *more: str) -> Client:
    return Client(
        StdioServerParameters(
            command=sys.executable,
            args=["-m", "mneme", "mcp", "--store", url, "--owner", "user-a", *more],
            env={**os.environ, "PYTHONPATH": str(CLIENTS)},
        )
    )


@pytest.fixture
def port(url: str) -> Iterator[int]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free = int(probe.getsockname()[1])
    server = subprocess.Popen(
        [
            *(sys.executable, "-m", "mneme", "mcp", "--store", url),
            *("--owner", "user-a", "--http", f"127.0.0.1:{free}"),
        ],
        env={**os.environ, "PYTHONPATH": str(CLIENTS), "MNEME_MCP_KEY": "k"},
    )
    _wait_for(free)
    yield free
    server.terminate()
    server.wait()


def _wait_for(port: int) -> None:
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError("the server did not start")


async def call(client: Client, name: str, **arguments: Any) -> Any:
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result.content
    answer = result.structured_content
    return answer["result"] if set(answer) == {"result"} else answer


async def memory_scenario(client: Client) -> None:
    saved = await call(client, "save", content="我喜欢蓝色", category="preference")
    assert saved["event"] == "added"
    await call(client, "save", content="我住在杭州", category="profile")
    (first, *_) = await call(client, "recall", query="喜欢蓝色吗")
    assert first["content"] == "我喜欢蓝色"
    assert first["source"] == "inference"
    block = await call(client, "context", query="蓝色")
    assert block.startswith("<memories>")
    await call(client, "update", memory_id=first["memory_id"], content="我喜欢冷色")
    (changed, *_) = await call(client, "recall", query="冷色")
    assert changed["memory_id"] == first["memory_id"]
    only = await call(client, "recall", query="杭州 冷色", categories=["profile"])
    assert [memory["content"] for memory in only] == ["我住在杭州"]
    assert await call(client, "forget", memory_id=first["memory_id"]) is True
    assert await call(client, "forget", memory_id=first["memory_id"]) is False


def test_the_memory_tools_work_on_stdio(url: str) -> None:
    async def scenario() -> None:
        async with over_stdio(url) as client:
            await memory_scenario(client)

    asyncio.run(scenario())

    with mneme.open(url) as store:
        assert [i.content for i in store.items(owner_id="user-a")] == ["我住在杭州"]


def test_the_memory_tools_work_over_http_with_the_key(url: str, port: int) -> None:
    async def scenario() -> None:
        headers = {"Authorization": "Bearer k"}
        async with httpx2.AsyncClient(headers=headers) as http:
            transport = streamable_http_client(
                f"http://127.0.0.1:{port}/mcp", http_client=http
            )
            async with Client(transport) as client:
                await memory_scenario(client)

    asyncio.run(scenario())


def test_without_the_key_http_answers_401(port: int) -> None:
    for headers in ({}, {"Authorization": "Bearer x"}):
        answer = httpx2.post(f"http://127.0.0.1:{port}/mcp", json={}, headers=headers)
        assert answer.status_code == 401


def test_an_open_address_needs_a_key(url: str) -> None:
    result = subprocess.run(
        [
            *(sys.executable, "-m", "mneme", "mcp", "--store", url),
            *("--owner", "user-a", "--http", "0.0.0.0:0"),
        ],
        env={**os.environ, "PYTHONPATH": str(CLIENTS)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert result.returncode != 0
    assert "MNEME_MCP_KEY" in result.stderr


def test_no_tool_lets_the_model_choose_owner_token_or_store(url: str) -> None:
    async def scenario() -> None:
        async with over_stdio(url) as client:
            tools = (await client.list_tools()).tools
            assert {"save", "recall", "update", "forget", "context"} <= {
                tool.name for tool in tools
            }
            for tool in tools:
                assert tool.description
                parameters = str(tool.input_schema["properties"]).lower()
                assert not any(w in parameters for w in ("owner", "token", "store"))
        async with over_stdio(url, "--no-graph") as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            assert not names & GRAPH_TOOLS

    asyncio.run(scenario())


def test_another_owner_s_memories_are_out_of_reach(url: str) -> None:
    with mneme.open(url) as store:
        theirs = store.save(MemoryItem(owner_id="user-b", content="讨厌促销"))

    async def scenario() -> None:
        async with over_stdio(url) as client:
            assert await call(client, "recall", query="讨厌促销") == []
            assert await call(client, "forget", memory_id=theirs.memory_id) is False
            arguments = {"memory_id": theirs.memory_id, "content": "x"}
            result = await client.call_tool("update", arguments)
            assert result.is_error
            assert "there is no memory" in str(result.content)

    asyncio.run(scenario())


def test_a_bad_value_is_an_error_the_model_can_read(url: str) -> None:
    async def scenario() -> None:
        async with over_stdio(url) as client:
            for arguments, said in (
                ({"content": "x", "category": "opinion"}, "is not one of profile"),
                ({"content": "x", "occurred_at": "2026-05-02"}, "ISO 8601"),
            ):
                result = await client.call_tool("save", arguments)
                assert result.is_error
                assert said in str(result.content)

    asyncio.run(scenario())


def test_the_graph_tools_keep_entities_observations_and_relations(url: str) -> None:
    ann = {"name": "Ann", "entityType": "person", "observations": ["likes tea"]}
    acme = {"name": "Acme", "entityType": "company", "observations": []}
    works = {"from": "Ann", "to": "Acme", "relationType": "works_at"}

    async def scenario() -> None:
        async with over_stdio(url) as client:
            created = await call(client, "create_entities", entities=[ann, acme])
            assert created == [ann, acme]
            assert await call(client, "create_entities", entities=[ann]) == []
            assert await call(client, "create_relations", relations=[works]) == [works]
            assert await call(client, "create_relations", relations=[works]) == []
            more = {"entityName": "Ann", "contents": ["likes tea", "speaks 中文"]}
            added = await call(client, "add_observations", observations=[more])
            assert added == [
                {"entityName": "Ann", "addedObservations": ["speaks 中文"]}
            ]

            graph = await call(client, "read_graph")
            both = {**ann, "observations": ["likes tea", "speaks 中文"]}
            assert graph == {"entities": [both, acme], "relations": [works]}
            found = await call(client, "search_nodes", query="tea")
            assert both in found["entities"]
            opened = await call(client, "open_nodes", names=["Acme", "Nobody"])
            assert opened == {"entities": [acme], "relations": []}

            gone = {"entityName": "Ann", "observations": ["likes tea"]}
            await call(client, "delete_observations", deletions=[gone])
            await call(client, "delete_relations", relations=[works])
            graph = await call(client, "read_graph")
            assert graph["entities"][0]["observations"] == ["speaks 中文"]
            assert graph["relations"] == []

            await call(client, "delete_entities", entityNames=["Ann"])
            graph = await call(client, "read_graph")
            assert [entity["name"] for entity in graph["entities"]] == ["Acme"]

    asyncio.run(scenario())
    with mneme.open(url) as store:
        assert len(list(store.items(owner_id="user-a"))) == 1


def test_a_memory_with_the_tag_of_the_graph_is_no_part_of_it(url: str) -> None:
    eve = {"name": "Eve", "entityType": "person", "observations": ["plays chess"]}

    async def scenario() -> None:
        async with over_stdio(url) as client:
            await call(client, "create_entities", entities=[eve])
            await call(client, "save", content="I love graph theory", tags=["graph"])
            whole = {"entities": [eve], "relations": []}
            assert await call(client, "read_graph") == whole
            assert await call(client, "search_nodes", query="chess") == whole
            await call(client, "delete_entities", entityNames=["Eve"])
            assert (await call(client, "read_graph"))["entities"] == []

    with mneme.open(url) as store:
        for number, entry in enumerate(("Eve", {"kind": "entity"}, {"kind": ["x"]})):
            text = f"Note {number} on graphs"
            metadata = {"graph": entry}
            store.save(
                MemoryItem(
                    owner_id="user-a", content=text, tags=("graph",), metadata=metadata
                )
            )
    asyncio.run(scenario())
    with mneme.open(url) as store:
        assert len(list(store.items(owner_id="user-a"))) == 4


def test_an_observation_needs_an_entity(url: str) -> None:
    async def scenario() -> None:
        async with over_stdio(url) as client:
            one = {"entityName": "Nobody", "contents": ["x"]}
            result = await client.call_tool("add_observations", {"observations": [one]})
            assert result.is_error
            assert "there is no entity Nobody" in str(result.content)

    asyncio.run(scenario())
