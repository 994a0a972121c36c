"""AutoGen's own adapter for mem0, with a client of the first version."""

from __future__ import annotations

import asyncio

import pytest

pytest.importorskip("autogen_ext.memory.mem0", reason="AutoGen is not here")

from autogen_agentchat.agents import AssistantAgent
from autogen_core.memory import MemoryContent, MemoryMimeType
from autogen_ext.memory import mem0 as adapter
from autogen_ext.models.openai import OpenAIChatCompletionClient
from mem0 import MemoryClient
from support.scripted_model import scripted_model

INFO = {
    "vision": False,
    "function_calling": True,
    "json_output": False,
    "structured_output": False,
    "multiple_system_messages": True,  # the adapter appends one a turn
    "family": "unknown",
}


@pytest.fixture
def memory(
    mem0_host: str, fresh: str, monkeypatch: pytest.MonkeyPatch
) -> adapter.Mem0Memory:
    """The adapter, which makes its client without a host: it is given one here."""
    monkeypatch.setattr(
        "autogen_ext.memory.mem0._mem0.MemoryClient",
        lambda api_key: MemoryClient(api_key=api_key, host=mem0_host),
    )
    return adapter.Mem0Memory(user_id="user-a", limit=5, api_key=fresh)


def note(text: str) -> MemoryContent:
    return MemoryContent(
        content=text, mime_type=MemoryMimeType.TEXT, metadata={"from": "a test"}
    )


def test_an_agent_is_told_what_was_added(memory: adapter.Mem0Memory) -> None:
    async def scenario(url: str) -> None:
        await memory.add(note("User likes the color blue."))
        llm = OpenAIChatCompletionClient(
            model="scripted", base_url=url, api_key="none", model_info=INFO
        )
        agent = AssistantAgent("helper", model_client=llm, memory=[memory])
        await agent.run(task="Which colour does the user like?")
        await llm.close()

    with scripted_model() as model:
        asyncio.run(scenario(model.url))
        assert "User likes the color blue." in model.prompt_text()


def test_it_is_asked_and_emptied(memory: adapter.Mem0Memory) -> None:
    async def scenario() -> None:
        await memory.add(note("我喜欢蓝色"))
        [found] = (await memory.query("有什么偏冷的色调建议")).results
        assert found.content == "我喜欢蓝色"
        assert found.metadata is not None
        assert found.metadata["from"] == "a test"
        assert 0 < found.metadata["score"] <= 1
        await memory.clear()
        assert (await memory.query("颜色")).results == []

    asyncio.run(scenario())
