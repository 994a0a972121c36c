"""One user, four programs: what LangChain heard, the others know."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from agentscope.agent import Agent
from agentscope.credential import OpenAICredential
from agentscope.message import UserMsg
from agentscope.model import OpenAIChatModel
from agentscope.tool import Toolkit
from autogen_agentchat.agents import AssistantAgent
from autogen_ext.models.openai import OpenAIChatCompletionClient
from conftest import Place
from langchain.agents import create_agent
from langchain_openai import ChatOpenAI
from support.scripted_model import ScriptedModel, scripted_model

import mneme
from mneme.adapters import agentscope2, langchain
from mneme.adapters.autogen import MnemeMemory, MnemeMemoryConfig

CLIENTS = Path(__file__).parents[2]
INFO = {
    "vision": False,
    "function_calling": True,
    "json_output": False,
    "structured_output": False,
    "family": "unknown",
}
SCRIPT = """
import sys, mneme
with mneme.open(sys.argv[1]) as memory:
    for found in memory.search(sys.argv[2], owner_id="user-a"):
        print(found.item.content)
"""


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with scripted_model() as started:
        yield started


@pytest.fixture
def url(place: Place, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("MNEME_TOKEN", place.token)
    return place.url


def with_langchain(model: ScriptedModel, url: str, owner_id: str, *texts: str) -> None:
    with mneme.open(url) as memory:
        llm = ChatOpenAI(model="scripted", base_url=model.url, api_key="none")
        middleware = langchain.MnemeMiddleware(memory, owner_id)
        agent = create_agent(llm, middleware=[middleware])
        for text in texts:
            agent.invoke({"messages": [("user", text)]})


def with_autogen(model: ScriptedModel, url: str, owner_id: str, text: str) -> None:
    async def scenario() -> None:
        client = OpenAIChatCompletionClient(
            model="scripted", base_url=model.url, api_key="none", model_info=INFO
        )
        memory = MnemeMemory(MnemeMemoryConfig(url=url, owner_id=owner_id))
        await AssistantAgent("helper", client, memory=[memory]).run(task=text)
        await memory.close()
        await client.close()

    asyncio.run(scenario())


def with_agentscope(model: ScriptedModel, url: str, owner_id: str, text: str) -> None:
    async def scenario() -> None:
        with mneme.open(url) as memory:
            credential = OpenAICredential(api_key="none", base_url=model.url)
            agent = Agent(
                name="helper",
                system_prompt="You help.",
                model=OpenAIChatModel(credential, "scripted", stream=False),
                toolkit=Toolkit(tools=[]),
                middlewares=[
                    agentscope2.MnemeMiddleware(memory, owner_id, mode="static_control")
                ],
            )
            await agent.reply(UserMsg(name="user", content=text))

    asyncio.run(scenario())


def with_a_script(url: str, query: str) -> str:
    command = [sys.executable, "-c", SCRIPT, url, query]
    done = subprocess.run(
        command, cwd=CLIENTS, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_what_one_framework_heard_every_other_knows(
    model: ScriptedModel, url: str
) -> None:
    with_langchain(model, url, "user-b", "我讨厌促销")
    with_langchain(model, url, "user-a", "我叫小明", "我喜欢蓝色", "请推荐一件衬衫")
    asked = len(model.prompts)

    with_autogen(model, url, "user-a", "你了解我什么")
    assert "我叫小明" in model.prompt_text()
    assert "我喜欢蓝色" in model.prompt_text()

    with_agentscope(model, url, "user-a", "有什么偏冷的色调建议")
    assert "我喜欢蓝色" in model.prompt_text()

    assert "我喜欢蓝色" in with_a_script(url, "喜欢什么颜色，蓝色吗")
    later = [model.prompt_text(number) for number in range(asked, len(model.prompts))]
    assert len(later) == 2
    assert not any("促销" in prompt for prompt in later)
