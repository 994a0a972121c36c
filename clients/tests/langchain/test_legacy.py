"""The deprecated classes, as chains of old code use them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.runnables.history import RunnableWithMessageHistory
from langchain_openai import ChatOpenAI
from support.scripted_model import ScriptedModel, scripted_model

import mneme
from mneme import MemoryStore

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # they are deprecated; that is why they are here
    from mneme.adapters.langchain_legacy import MnemeChatHistory, MnemeMemory

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[MemoryStore]:
    with mneme.open((tmp_path / "memories.jsonl").as_uri()) as store:
        yield store


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with scripted_model() as started:
        yield started


def test_a_chain_recalls_what_was_said_in_an_earlier_one(
    model: ScriptedModel, memory: MemoryStore
) -> None:
    from langchain_classic.chains import LLMChain

    prompt = ChatPromptTemplate.from_messages(
        [("system", "{memories}"), ("user", "{input}")]
    )
    llm = ChatOpenAI(model="scripted", base_url=model.url, api_key="none")
    for text in ("我喜欢蓝色", "蓝色的衬衫有吗"):
        chain = LLMChain(
            llm=llm, prompt=prompt, memory=MnemeMemory(store=memory, owner_id="u")
        )
        chain.invoke({"input": text})

    assert "我喜欢蓝色" in model.prompts[1][0]["content"]
    assert [item.content for item in memory.items(owner_id="u")] == ["我喜欢蓝色"]


def test_clear_forgets_the_session_only(memory: MemoryStore) -> None:
    first = MnemeMemory(store=memory, owner_id="u", session_id="1")
    second = MnemeMemory(store=memory, owner_id="u", session_id="2")
    first.save_context({"input": "我喜欢蓝色"}, {"output": "好"})
    second.save_context({"input": "我住在杭州"}, {"output": "好"})

    first.clear()

    assert [item.content for item in memory.items(owner_id="u")] == ["我住在杭州"]


def test_a_history_gives_back_whole_messages_in_order(memory: MemoryStore) -> None:
    messages = [
        HumanMessage("你好", id="1"),
        AIMessage("", tool_calls=[{"name": "t", "args": {"a": 1}, "id": "c1"}]),
        ToolMessage("7", tool_call_id="c1"),
        AIMessage("你好"),
    ]
    history = MnemeChatHistory(memory, "u", "s1")

    history.add_messages(messages[:2])
    history.add_messages(messages[2:])

    assert MnemeChatHistory(memory, "u", "s1").messages == messages
    assert MnemeChatHistory(memory, "u", "s2").messages == []
    assert MnemeChatHistory(memory, "v", "s1").messages == []
    history.clear()
    assert history.messages == []


def test_a_runnable_with_history_goes_on(
    model: ScriptedModel, memory: MemoryStore
) -> None:
    prompt = ChatPromptTemplate.from_messages(
        [MessagesPlaceholder("history"), ("user", "{input}")]
    )
    llm = ChatOpenAI(model="scripted", base_url=model.url, api_key="none")
    chain = RunnableWithMessageHistory(
        prompt | llm,
        lambda session_id: MnemeChatHistory(memory, "u", session_id),
        input_messages_key="input",
        history_messages_key="history",
    )

    for text in ("一", "二"):
        chain.invoke({"input": text}, {"configurable": {"session_id": "s"}})

    assert [m["content"] for m in model.prompts[1]] == ["一", "好的", "二"]
