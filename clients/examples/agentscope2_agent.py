"""An AgentScope 2 agent with the memory middleware and its tools."""

import asyncio
import os

from agentscope.agent import Agent
from agentscope.credential import OpenAICredential
from agentscope.message import UserMsg
from agentscope.model import OpenAIChatModel
from agentscope.tool import Toolkit

import mneme
from mneme.adapters.agentscope2 import MnemeMiddleware


async def main() -> None:
    """Ask for something that depends on who the user is."""
    with mneme.open(os.environ["MNEME_STORE"]) as memory:
        middleware = MnemeMiddleware(memory, "user-42")
        credential = OpenAICredential(
            api_key=os.environ["OPENAI_API_KEY"],
            base_url=os.environ.get("OPENAI_BASE_URL"),
        )
        agent = Agent(
            name="helper",
            system_prompt="You help in a shop.",
            model=OpenAIChatModel(
                credential, os.environ.get("OPENAI_MODEL", "gpt-4.1-mini")
            ),
            toolkit=Toolkit(tools=await middleware.list_tools()),
            middlewares=[middleware],
        )
        reply = await agent.reply(UserMsg(name="user", content="请推荐一件衬衫"))
        print(reply.get_text_content())


asyncio.run(main())
