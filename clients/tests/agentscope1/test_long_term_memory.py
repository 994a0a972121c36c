"""An AgentScope 1.0 agent with long-term memory, talking to a scripted model."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from agentscope.agent import ReActAgent
from agentscope.formatter import OpenAIChatFormatter
from agentscope.memory import InMemoryMemory
from agentscope.message import Msg
from agentscope.model import OpenAIChatModel
from agentscope.tool import Toolkit
from support.scripted_model import ScriptedModel, scripted_model

import mneme
from mneme import MemoryItem, MemoryStore
from mneme.adapters.agentscope1 import MnemeLongTermMemory

Mode = Literal["agent_control", "static_control", "both"]


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with scripted_model() as started:
        yield started


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[MemoryStore]:
    with mneme.open((tmp_path / "memories.jsonl").as_uri()) as store:
        yield store


def agent(
    model: ScriptedModel, memory: MemoryStore, mode: Mode, owner_id: str = "user-a"
) -> ReActAgent:
    made = ReActAgent(
        name="helper",
        sys_prompt="You help.",
        model=OpenAIChatModel(
            "scripted",
            api_key="none",
            stream=False,
            client_kwargs={"base_url": model.url},
        ),
        formatter=OpenAIChatFormatter(),
        toolkit=Toolkit(),
        memory=InMemoryMemory(),
        long_term_memory=MnemeLongTermMemory(memory, owner_id),
        long_term_memory_mode=mode,
    )
    made.set_console_output_enabled(False)
    return made


def ask(helper: ReActAgent, *texts: str) -> str:
    async def scenario() -> str:
        answer = ""
        for text in texts:
            reply = await helper(Msg("user", text, "user"))
            answer = reply.get_text_content() or ""
        return answer

    return asyncio.run(scenario())


def contents(memory: MemoryStore, owner_id: str = "user-a") -> list[str]:
    return [item.content for item in memory.items(owner_id=owner_id)]


def test_static_control_keeps_and_recalls(
    model: ScriptedModel, memory: MemoryStore
) -> None:
    ask(agent(model, memory, "static_control"), "我叫小明", "我喜欢蓝色", "推荐一件吗")
    ask(agent(model, memory, "static_control"), "有什么偏冷的色调建议")

    assert contents(memory) == ["我叫小明", "我喜欢蓝色"]
    assert "我喜欢蓝色" in model.prompt_text()
    assert "我叫小明" in model.prompt_text()


def test_what_was_recalled_is_not_kept_again(
    model: ScriptedModel, memory: MemoryStore
) -> None:
    memory.save(MemoryItem(owner_id="user-a", content="我喜欢蓝色", type="preference"))

    ask(agent(model, memory, "static_control"), "蓝色的有吗", "我住在杭州", "好的")

    assert contents(memory) == ["我喜欢蓝色", "我住在杭州"]


def test_agent_control_gives_the_agent_both_tools(
    model: ScriptedModel, memory: MemoryStore
) -> None:
    memory.save(MemoryItem(owner_id="user-a", content="我喜欢蓝色", type="preference"))
    model.script = [
        ("retrieve_from_memory", {"keywords": ["蓝色", "颜色"]}),
        ("record_to_memory", {"thinking": "new", "content": ["用户想要衬衫"]}),
        "推荐蓝色衬衫",
    ]

    answer = ask(agent(model, memory, "agent_control"), "推荐一件衬衫")

    assert answer == "推荐蓝色衬衫"
    assert {"record_to_memory", "retrieve_from_memory"} <= set(model.tools[0])
    assert "我喜欢蓝色" not in model.prompt_text(0)
    assert model.prompt_text(1).count("我喜欢蓝色") == 1
    assert contents(memory) == ["我喜欢蓝色", "用户想要衬衫"]
    kinds = {item.content: item.source.kind for item in memory.items(owner_id="user-a")}
    assert kinds["用户想要衬衫"] == "inference"


def test_both_does_both(model: ScriptedModel, memory: MemoryStore) -> None:
    memory.save(MemoryItem(owner_id="user-a", content="我喜欢蓝色", type="preference"))

    ask(agent(model, memory, "both"), "蓝色的有吗")

    assert "我喜欢蓝色" in model.prompt_text(0)
    assert "retrieve_from_memory" in model.tools[0]


def test_another_user_s_memory_stays_away(
    model: ScriptedModel, memory: MemoryStore
) -> None:
    ask(agent(model, memory, "static_control", "user-b"), "我讨厌促销")
    ask(agent(model, memory, "static_control", "user-a"), "有什么促销")

    assert "讨厌" not in model.prompt_text()
