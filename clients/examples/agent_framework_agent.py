"""A Microsoft Agent Framework agent with a context provider for memory."""

import asyncio
import os

from agent_framework import Agent
from agent_framework.openai import OpenAIChatCompletionClient

import mneme
from mneme.adapters.agent_framework import MnemeProvider


async def main() -> None:
    """Say something in one session and ask about it in the next."""
    with mneme.open(os.environ["MNEME_STORE"]) as memory:
        agent = Agent(
            OpenAIChatCompletionClient(
                model=os.environ.get("OPENAI_MODEL", "gpt-4.1-mini"),
                base_url=os.environ.get("OPENAI_BASE_URL"),
            ),
            instructions="You help in a shop.",
            context_providers=[MnemeProvider(memory, "user-42")],
        )
        await agent.run("我喜欢蓝色", session=agent.create_session())
        answer = await agent.run("请推荐一件衬衫", session=agent.create_session())
        print(answer.text)


asyncio.run(main())
