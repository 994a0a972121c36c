"""A LangChain agent with memory, talking to a scripted model over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from langchain.agents import create_agent
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from support.scripted_model import ScriptedModel, scripted_model

import mneme
from mneme import MemoryItem, MemoryStore
from mneme.adapters.langchain import MnemeMiddleware


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with scripted_model() as started:
        yield started


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[MemoryStore]:
    with mneme.open((tmp_path / "memories.jsonl").as_uri()) as store:
        yield store


def chat(model: ScriptedModel) -> ChatOpenAI:
    return ChatOpenAI(model="scripted", base_url=model.url, api_key="none")


def contents(memory: MemoryStore, owner_id: str = "user-a") -> list[str]:
    return [item.content for item in memory.items(owner_id=owner_id)]


def test_statements_are_kept_and_recalled_in_another_conversation(
    model: ScriptedModel, memory: MemoryStore
) -> None:
    agent = create_agent(
        chat(model),
        middleware=[MnemeMiddleware(memory, "user-a")],
        system_prompt="You help in a shop.",
        checkpointer=InMemorySaver(),
    )

    for text in ("我叫小明", "我喜欢蓝色", "请推荐一件衬衫"):
        agent.invoke(
            {"messages": [("user", text)]}, {"configurable": {"thread_id": "1"}}
        )
    agent.invoke(
        {"messages": [("user", "有什么偏冷的色调建议")]},
        {"configurable": {"thread_id": "2"}},
    )

    assert contents(memory) == ["我叫小明", "我喜欢蓝色"]
    system, user = model.prompts[-1]
    assert system["role"] == "system"
    assert system["content"].startswith("You help in a shop.\n\n<memories>")
    assert "我喜欢蓝色" in system["content"]
    assert "我叫小明" in system["content"]
    assert user["content"] == "有什么偏冷的色调建议"


def test_the_block_is_not_in_the_history(
    model: ScriptedModel, memory: MemoryStore
) -> None:
    memory.save(MemoryItem(owner_id="user-a", content="我喜欢蓝色", type="preference"))
    agent = create_agent(
        chat(model),
        middleware=[MnemeMiddleware(memory, "user-a")],
        checkpointer=InMemorySaver(),
    )
    thread = {"configurable": {"thread_id": "1"}}

    for text in ("蓝色的衬衫有吗", "蓝色的裤子有吗", "蓝色的鞋有吗"):
        state = agent.invoke({"messages": [("user", text)]}, thread)

    assert "<memories>" not in str(state["messages"])
    assert set(state) == {"messages"}
    assert [p[0]["content"].count("<memories>") for p in model.prompts] == [1, 1, 1]
    assert contents(memory) == ["我喜欢蓝色"]


def test_a_tool_loop_searches_once(
    model: ScriptedModel, memory: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    @tool
    def stock(colour: str) -> str:
        """Say how many are in stock."""
        return f"7 {colour}"

    searches: list[str] = []
    search = memory.search
    monkeypatch.setattr(
        memory,
        "search",
        lambda query, **kw: searches.append(query) or search(query, **kw),
    )
    memory.save(MemoryItem(owner_id="user-a", content="我喜欢蓝色", type="preference"))
    model.script = [("stock", {"colour": "蓝色"}), "有七件"]
    agent = create_agent(
        chat(model), tools=[stock], middleware=[MnemeMiddleware(memory, "user-a")]
    )

    agent.invoke({"messages": [("user", "蓝色的有货吗")]})

    assert searches == ["蓝色的有货吗"]
    assert len(model.prompts) == 2
    assert all("我喜欢蓝色" in p[0]["content"] for p in model.prompts)


def test_the_owner_comes_from_the_run(
    model: ScriptedModel, memory: MemoryStore
) -> None:
    @dataclass
    class Shop:
        user_id: str

    agent = create_agent(
        chat(model),
        context_schema=Shop,
        middleware=[MnemeMiddleware(memory, lambda runtime: runtime.context.user_id)],
    )

    agent.invoke({"messages": [("user", "我讨厌促销")]}, context=Shop("user-b"))
    agent.invoke({"messages": [("user", "有什么促销")]}, context=Shop("user-a"))
    agent.invoke({"messages": [("user", "有什么促销")]}, context=Shop("user-b"))

    assert "讨厌" not in str(model.prompts[1])
    assert "我讨厌促销" in str(model.prompts[2])
    assert contents(memory, "user-a") == []


def test_it_works_asynchronously(model: ScriptedModel, memory: MemoryStore) -> None:
    agent = create_agent(chat(model), middleware=[MnemeMiddleware(memory, "user-a")])

    async def scenario() -> None:
        await agent.ainvoke({"messages": [("user", "我喜欢蓝色")]})
        await agent.ainvoke({"messages": [("user", "推荐蓝色的吗")]})

    asyncio.run(scenario())

    assert contents(memory) == ["我喜欢蓝色"]
    assert "我喜欢蓝色" in model.prompt_text()


def test_a_service_that_is_down_leaves_the_agent_working(
    model: ScriptedModel, tmp_path: Path
) -> None:
    with mneme.open(
        "http://127.0.0.1:9", token="t", when_down="spool", spool=tmp_path / "spool.db"
    ) as memory:
        agent = create_agent(
            chat(model), middleware=[MnemeMiddleware(memory, "user-a")]
        )
        state = agent.invoke({"messages": [("user", "我喜欢蓝色")]})

    assert state["messages"][-1].text == "好的"
