"""An Agent Framework agent with memory, talking to a scripted model over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from agent_framework import Agent
from agent_framework.openai import OpenAIChatCompletionClient
from support.scripted_model import ScriptedModel, scripted_model

import mneme
from mneme import MemoryItem, MemoryStore
from mneme.adapters.agent_framework import MnemeProvider


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with scripted_model() as started:
        yield started


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[MemoryStore]:
    with mneme.open((tmp_path / "memories.jsonl").as_uri()) as store:
        yield store


def agent(model: ScriptedModel, provider: MnemeProvider) -> Agent:
    client = OpenAIChatCompletionClient(
        model="scripted", base_url=model.url, api_key="none"
    )
    return Agent(client, instructions="You help.", context_providers=[provider])


def contents(memory: MemoryStore, owner_id: str) -> list[str]:
    return [item.content for item in memory.items(owner_id=owner_id)]


def test_statements_are_kept_and_recalled_in_another_session(
    model: ScriptedModel, memory: MemoryStore
) -> None:
    async def scenario() -> None:
        helper = agent(model, MnemeProvider(memory, "user-a"))
        first = helper.create_session()
        for text in ("我叫小明", "我喜欢蓝色", "推荐一件吗"):
            await helper.run(text, session=first)
        await helper.run("你了解我什么", session=helper.create_session())

    asyncio.run(scenario())

    assert contents(memory, "user-a") == ["我叫小明", "我喜欢蓝色"]
    assert "我叫小明" in model.prompt_text()
    assert "我喜欢蓝色" in model.prompt_text()
    assert model.prompt_text().count("<memories>") == 1


def test_the_block_is_not_in_the_history(
    model: ScriptedModel, memory: MemoryStore
) -> None:
    memory.save(MemoryItem(owner_id="user-a", content="我喜欢蓝色", type="preference"))

    async def scenario() -> None:
        helper = agent(model, MnemeProvider(memory, "user-a"))
        session = helper.create_session()
        for text in ("蓝色的衬衫有吗", "蓝色的裤子有吗", "蓝色的鞋有吗"):
            await helper.run(text, session=session)

    asyncio.run(scenario())

    counts = [model.prompt_text(n).count("<memories>") for n in range(3)]
    assert counts == [1, 1, 1]


def test_users_of_one_agent_do_not_read_each_other(
    model: ScriptedModel, memory: MemoryStore
) -> None:
    async def scenario() -> None:
        provider = MnemeProvider(memory, lambda session: session.state["user"])
        helper = agent(model, provider)
        for user, text in (("b", "我讨厌促销"), ("a", "有什么促销"), ("b", "有促销吗")):
            session = helper.create_session()
            session.state["user"] = user
            await helper.run(text, session=session)

    asyncio.run(scenario())

    assert "讨厌" not in model.prompt_text(1)
    assert "讨厌" in model.prompt_text(2)
    assert contents(memory, "a") == []


def test_where_it_reads_can_be_another_place_than_where_it_writes(
    model: ScriptedModel, memory: MemoryStore
) -> None:
    memory.save(MemoryItem(owner_id="team", content="我们周五发货", type="profile"))

    async def scenario() -> None:
        provider = MnemeProvider(memory, "user-a", search_owner_id="team")
        await agent(model, provider).run("我喜欢周五")

    asyncio.run(scenario())

    assert "我们周五发货" in model.prompt_text()
    assert contents(memory, "user-a") == ["我喜欢周五"]
    assert contents(memory, "team") == ["我们周五发货"]
