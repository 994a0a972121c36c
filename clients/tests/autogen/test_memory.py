"""AutoGen agents with memory, talking to a scripted model over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from autogen_agentchat.agents import AssistantAgent
from autogen_core.memory import Memory, MemoryContent, MemoryMimeType
from autogen_core.model_context import UnboundedChatCompletionContext
from autogen_core.models import UserMessage
from autogen_ext.models.openai import OpenAIChatCompletionClient
from support.scripted_model import ScriptedModel, scripted_model

import mneme
from mneme import MemoryItem
from mneme.adapters.autogen import MnemeMemory, MnemeMemoryConfig

INFO = {
    "vision": False,
    "function_calling": True,
    "json_output": False,
    "structured_output": False,
    "family": "unknown",
}


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with scripted_model() as started:
        yield started


@pytest.fixture
def url(tmp_path: Path) -> str:
    return (tmp_path / "memories.jsonl").as_uri()


def made(url: str, **changes: object) -> MnemeMemory:
    return MnemeMemory(MnemeMemoryConfig(url=url, owner_id="user-a", **changes))


def contents(url: str) -> list[str]:
    with mneme.open(url) as store:
        return [item.content for item in store.items(owner_id="user-a")]


def keep(url: str, *texts: str, **changes: object) -> None:
    with mneme.open(url) as store:
        for text in texts:
            values = {"owner_id": "user-a", "content": text, "type": "preference"}
            store.save(MemoryItem(**{**values, **changes}))


async def ask(model: ScriptedModel, memory: Memory, *texts: str) -> None:
    client = OpenAIChatCompletionClient(
        model="scripted", base_url=model.url, api_key="none", model_info=INFO
    )
    agent = AssistantAgent("helper", client, memory=[memory])
    for text in texts:
        await agent.run(task=text)
    await client.close()


def test_another_framework_s_memories_are_in_the_prompt(
    model: ScriptedModel, url: str
) -> None:
    keep(url, "我喜欢蓝色")
    keep(url, "我叫小明", type="profile")
    keep(url, "用户B讨厌促销", owner_id="user-b")

    asyncio.run(ask(model, made(url), "你了解我什么"))

    assert "我叫小明" in model.prompt_text()
    assert "我喜欢蓝色" in model.prompt_text()
    assert "促销" not in model.prompt_text()


def test_the_context_does_not_grow_with_every_turn(
    model: ScriptedModel, url: str
) -> None:
    keep(url, "我喜欢蓝色")

    texts = ["蓝色的衬衫有吗", "蓝色的裤子有吗", "蓝色的鞋有吗"]
    asyncio.run(ask(model, made(url, remember=False), *texts))

    counts = [sum("<memories>" in str(m) for m in prompt) for prompt in model.prompts]
    assert counts == [1, 1, 1]


def test_a_new_memory_joins_a_running_conversation(
    model: ScriptedModel, url: str
) -> None:
    keep(url, "我喜欢蓝色")
    memory = made(url, remember=False)

    async def scenario() -> None:
        client = OpenAIChatCompletionClient(
            model="scripted", base_url=model.url, api_key="none", model_info=INFO
        )
        agent = AssistantAgent("helper", client, memory=[memory])
        await agent.run(task="蓝色的有吗")
        keep(url, "蓝色衬衫要纯棉")
        await agent.run(task="蓝色的衬衫呢")
        await client.close()

    asyncio.run(scenario())

    assert "纯棉" not in model.prompt_text(0)
    assert model.prompt_text(1).count("我喜欢蓝色") == 1
    assert model.prompt_text(1).count("纯棉") == 1


def test_statements_of_the_user_are_kept_once(model: ScriptedModel, url: str) -> None:
    asyncio.run(ask(model, made(url), "我喜欢蓝色", "推荐一件吗", "谢谢"))

    assert contents(url) == ["我喜欢蓝色"]


def test_it_is_dumped_and_loaded_as_a_component(url: str) -> None:
    keep(url, "我喜欢蓝色")
    dumped = made(url, limit=3).dump_component()

    loaded = Memory.load_component(dumped)

    assert "token" not in dumped.model_dump_json()
    assert isinstance(loaded, MnemeMemory)
    result = asyncio.run(loaded.query("蓝色"))
    assert [c.content for c in result.results] == ["我喜欢蓝色"]
    assert set(result.results[0].metadata or {}) >= {"id", "score", "created_at"}


def test_add_keeps_text_and_json_and_clear_forgets_only_its_own(url: str) -> None:
    keep(url, "我喜欢蓝色")
    memory = made(url)

    async def scenario() -> None:
        await memory.add(
            MemoryContent(
                content="ships on fridays",
                mime_type=MemoryMimeType.TEXT,
                metadata={"category": "event", "n": 1},
            )
        )
        await memory.add(
            MemoryContent(content={"a": "茶"}, mime_type=MemoryMimeType.JSON)
        )
        with pytest.raises(ValueError, match="no text"):
            await memory.add(
                MemoryContent(content=b"x", mime_type=MemoryMimeType.BINARY)
            )

    asyncio.run(scenario())
    assert contents(url) == ["我喜欢蓝色", "ships on fridays", '{"a": "茶"}']
    asyncio.run(memory.clear())
    assert contents(url) == ["我喜欢蓝色"]
    asyncio.run(memory.close())


def test_it_says_what_it_added(url: str) -> None:
    keep(url, "我喜欢蓝色")

    async def scenario() -> None:
        context = UnboundedChatCompletionContext()
        await context.add_message(UserMessage(content="蓝色的有吗", source="user"))
        memory = made(url)
        first = await memory.update_context(context)
        second = await memory.update_context(context)
        assert [c.content for c in first.memories.results] == ["我喜欢蓝色"]
        assert second.memories.results == []
        messages = await context.get_messages()
        assert [m.source for m in messages] == ["user", "memory"]

    asyncio.run(scenario())
