"""The memory as an agent of its own: others reach it by message, on AgentScope 1.0.

A message that starts with "记住" or "remember" is kept; any other is a question, and
the reply is what is remembered about it.
"""

import asyncio
import os
import re
from datetime import datetime, timezone
from typing import Any

from agentscope.agent import AgentBase
from agentscope.message import Msg

import mneme
from mneme import MemoryItem, MemoryStore, Source

KEEP = re.compile(r"(?:记住|remember)[:：,，\s]*(.+)", re.IGNORECASE | re.DOTALL)


class MemoryAgent(AgentBase):
    """Keeps and recalls for one user; the sender's name is the source."""

    def __init__(self, memory: MemoryStore, owner_id: str) -> None:
        super().__init__()
        self.name = "memory"
        self._memory = memory
        self._owner_id = owner_id

    async def observe(self, msg: Msg | list[Msg] | None) -> None:
        """Ignore what is said to others."""

    async def reply(self, msg: Msg, *args: Any, **kwargs: Any) -> Msg:
        """Keep or recall, and say what was done."""
        text = msg.get_text_content() or ""
        wanted = KEEP.match(text)
        if wanted:
            answer = await asyncio.to_thread(self._keep, wanted[1], msg.name)
        else:
            answer = await asyncio.to_thread(self._recall, text)
        return Msg(self.name, answer, "assistant")

    def _keep(self, text: str, sender: str) -> str:
        source = Source("inference", sender)
        item = MemoryItem(owner_id=self._owner_id, content=text, source=source)
        return self._memory.save(item).event

    def _recall(self, query: str) -> str:
        found = self._memory.search(query, owner_id=self._owner_id)
        block = mneme.fenced(found, now=datetime.now(timezone.utc))
        return block or "Nothing is remembered about that."


async def main() -> None:
    """Two other agents' messages."""
    with mneme.open(os.environ["MNEME_STORE"]) as memory:
        agent = MemoryAgent(memory, "user-42")
        agent.set_console_output_enabled(False)
        for text in ("记住：用户喜欢蓝色", "用户喜欢什么颜色"):
            reply = await agent(Msg("seller", text, "assistant"))
            print(reply.get_text_content())


asyncio.run(main())
