"""An AgentScope 2 agent with memory, talking to a scripted model."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from agentscope.agent import Agent
from agentscope.credential import OpenAICredential
from agentscope.message import UserMsg
from agentscope.model import OpenAIChatModel
from agentscope.tool import Toolkit
from support.scripted_model import ScriptedModel, scripted_model

import mneme
from mneme import MemoryItem, MemoryStore
from mneme.adapters.agentscope2 import MnemeMiddleware, Mode


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with scripted_model() as started:
        yield started


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[MemoryStore]:
    with mneme.open((tmp_path / "memories.jsonl").as_uri()) as store:
        yield store


def ask(
    model: ScriptedModel,
    memory: MemoryStore,
    mode: Mode,
    *texts: str,
    owner_id: str = "user-a",
) -> str:
    async def scenario() -> str:
        middleware = MnemeMiddleware(memory, owner_id, mode=mode)
        credential = OpenAICredential(api_key="none", base_url=model.url)
        helper = Agent(
            name="helper",
            system_prompt="You help.",
            model=OpenAIChatModel(credential, "scripted", stream=False),
            toolkit=Toolkit(tools=await middleware.list_tools()),
            middlewares=[middleware],
        )
        answer = ""
        for text in texts:
            reply = await helper.reply(UserMsg(name="user", content=text))
            answer = reply.get_text_content() or ""
        return answer

    return asyncio.run(scenario())


def contents(memory: MemoryStore, owner_id: str = "user-a") -> list[str]:
    return [item.content for item in memory.items(owner_id=owner_id)]


def test_static_control_keeps_and_recalls(
    model: ScriptedModel, memory: MemoryStore
) -> None:
    ask(model, memory, "static_control", "我叫小明", "我喜欢蓝色", "推荐一件吗")
    ask(model, memory, "static_control", "有什么偏冷的色调建议")

    assert contents(memory) == ["我叫小明", "我喜欢蓝色"]
    system = str(model.prompts[-1][0]["content"])
    assert "我喜欢蓝色" in system
    assert "我叫小明" in system
    assert model.tools[-1] == []


def test_the_block_is_in_the_system_prompt_once_whatever_the_turn(
    model: ScriptedModel, memory: MemoryStore
) -> None:
    memory.save(MemoryItem(owner_id="user-a", content="我喜欢蓝色", type="preference"))

    ask(model, memory, "static_control", "蓝色衬衫有吗", "蓝色裤子有吗", "蓝色鞋有吗")

    counts = [model.prompt_text(n).count("<memories>") for n in range(3)]
    assert counts == [1, 1, 1]
    assert contents(memory) == ["我喜欢蓝色"]


def test_agent_control_gives_the_agent_tools(
    model: ScriptedModel, memory: MemoryStore
) -> None:
    memory.save(MemoryItem(owner_id="user-a", content="我喜欢蓝色", type="preference"))
    model.script = [
        ("search_memory", {"keywords": ["蓝色", "颜色"]}),
        ("add_memory", {"content": ["用户想要衬衫"]}),
        "推荐蓝色衬衫",
    ]

    answer = ask(model, memory, "agent_control", "推荐一件衬衫")

    assert answer == "推荐蓝色衬衫"
    assert set(model.tools[0]) == {"search_memory", "add_memory"}
    assert "我喜欢蓝色" not in model.prompt_text(0)
    assert model.prompt_text(1).count("我喜欢蓝色") == 1
    assert contents(memory) == ["我喜欢蓝色", "用户想要衬衫"]


def test_another_user_s_memory_stays_away(
    model: ScriptedModel, memory: MemoryStore
) -> None:
    ask(model, memory, "both", "我讨厌促销", owner_id="user-b")
    ask(model, memory, "both", "有什么促销", owner_id="user-a")

    assert "讨厌" not in model.prompt_text()


def test_a_tool_says_when_the_memory_is_down(model: ScriptedModel) -> None:
    model.script = [("search_memory", {"keywords": ["蓝色"]}), "没有"]
    with mneme.open("http://127.0.0.1:9", token="t") as memory:
        answer = ask(model, memory, "agent_control", "推荐一件衬衫")

    assert answer == "没有"
    assert "/v1/memory/recall" in model.prompt_text(1)
