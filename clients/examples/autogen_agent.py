"""An AutoGen agent that knows what any other agent was told."""

import asyncio
import os

from autogen_agentchat.agents import AssistantAgent
from autogen_core.models import ModelInfo
from autogen_ext.models.openai import OpenAIChatCompletionClient

from mneme.adapters.autogen import MnemeMemory, MnemeMemoryConfig


async def main() -> None:
    """Ask what the user likes."""
    client = OpenAIChatCompletionClient(
        model=os.environ.get("OPENAI_MODEL", "gpt-4.1-mini"),
        base_url=os.environ.get("OPENAI_BASE_URL"),
        model_info=ModelInfo(
            vision=False,
            function_calling=True,
            json_output=False,
            structured_output=False,
            family="unknown",
        ),
    )
    config = MnemeMemoryConfig(url=os.environ["MNEME_STORE"], owner_id="user-42")
    memory = MnemeMemory(config)
    agent = AssistantAgent("helper", client, memory=[memory])
    result = await agent.run(task="你了解我什么")
    print(result.messages[-1].to_text())
    await memory.close()
    await client.close()


asyncio.run(main())
