"""AgentScope's own middleware for mem0, with mem0's own client."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

pytest.importorskip("agentscope.middleware", reason="AgentScope 2 is not here")

from agentscope.agent import Agent
from agentscope.credential import OpenAICredential
from agentscope.message import UserMsg
from agentscope.middleware import Mem0Middleware
from agentscope.model import OpenAIChatModel
from agentscope.tool import Toolkit
from mem0 import AsyncMemoryClient
from support.scripted_model import ScriptedModel, scripted_model


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with scripted_model() as started:
        yield started


def ask(
    model: ScriptedModel,
    host: str,
    token: str,
    *texts: str,
    mode: str,
    agent_id: str | None = None,
) -> None:
    """Put the texts to a fresh agent, one after the other."""

    async def scenario() -> None:
        client = AsyncMemoryClient(api_key=token, host=host)
        middleware = Mem0Middleware(
            user_id="user-a", client=client, mode=mode, agent_id=agent_id
        )
        helper = Agent(
            name="helper",
            system_prompt="You help.",
            model=OpenAIChatModel(
                OpenAICredential(api_key="none", base_url=model.url),
                "scripted",
                stream=False,
            ),
            toolkit=Toolkit(tools=await middleware.list_tools()),
            middlewares=[middleware],
        )
        for text in texts:
            await helper.reply(UserMsg(name="user", content=text))

    asyncio.run(scenario())


def test_it_keeps_what_the_user_says_and_gives_it_to_the_next_agent(
    model: ScriptedModel, mem0_host: str, fresh: str
) -> None:
    ask(model, mem0_host, fresh, "我叫小明", "我喜欢蓝色", mode="static_control")
    ask(model, mem0_host, fresh, "有什么偏冷的色调建议", mode="static_control")

    assert "我喜欢蓝色" in model.prompt_text()


def test_agents_of_different_names_know_only_their_own(
    model: ScriptedModel, mem0_host: str, fresh: str
) -> None:
    for agent_id in ("one", "two"):
        ask(
            model,
            mem0_host,
            fresh,
            "我喜欢蓝色",
            mode="static_control",
            agent_id=agent_id,
        )
    for agent_id, knows in (("one", True), ("two", True), ("three", False)):
        ask(
            model,
            mem0_host,
            fresh,
            "有什么偏冷的色调建议",
            mode="static_control",
            agent_id=agent_id,
        )
        assert ("我喜欢蓝色" in model.prompt_text()) is knows


def test_its_tools_add_and_search(
    model: ScriptedModel, mem0_host: str, fresh: str
) -> None:
    model.script = [
        ("add_memory", {"thinking": "worth it", "content": ["The user is vegan."]}),
        "noted",
    ]
    ask(model, mem0_host, fresh, "remember that", mode="agent_control")
    model.script = [("search_memory", {"keywords": ["diet", "food"]}), "done"]
    ask(model, mem0_host, fresh, "what do I eat?", mode="agent_control")

    assert "The user is vegan." in model.prompt_text()
