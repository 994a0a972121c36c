"""An AgentScope 1.0 agent that recalls by itself and has memory tools besides."""

import asyncio
import os

from agentscope.agent import ReActAgent
from agentscope.formatter import OpenAIChatFormatter
from agentscope.message import Msg
from agentscope.model import OpenAIChatModel
from agentscope.tool import Toolkit

import mneme
from mneme.adapters.agentscope1 import MnemeLongTermMemory


async def main() -> None:
    """Ask for something that depends on who the user is."""
    with mneme.open(os.environ["MNEME_STORE"]) as memory:
        agent = ReActAgent(
            name="helper",
            sys_prompt="You help in a shop.",
            model=OpenAIChatModel(
                os.environ.get("OPENAI_MODEL", "gpt-4.1-mini"),
                client_kwargs={"base_url": os.environ.get("OPENAI_BASE_URL")},
                stream=False,
            ),
            formatter=OpenAIChatFormatter(),
            toolkit=Toolkit(),
            long_term_memory=MnemeLongTermMemory(memory, "user-42"),
            long_term_memory_mode="both",
        )
        await agent(Msg("user", "请推荐一件衬衫", "user"))


asyncio.run(main())
