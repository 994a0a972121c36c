"""AgentScope 2: a middleware with memory tools, over any back end."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import AsyncGenerator, Callable
from typing import Any, Literal

from agentscope.agent import Agent
from agentscope.message import Msg, TextBlock, ToolResultState
from agentscope.middleware import MiddlewareBase
from agentscope.permission import PermissionBehavior, PermissionDecision
from agentscope.tool import ToolBase, ToolChunk

from mneme.context import fenced
from mneme.errors import MnemeError
from mneme.items import MemoryItem, Source
from mneme.keeper import LIMIT, Keeper, once_key
from mneme.protocol import Found, MemoryStore
from mneme.times import utc_now

Mode = Literal["static_control", "agent_control", "both"]


class MnemeMiddleware(MiddlewareBase):
    """Memory of one owner for `Agent(middlewares=[...])`.

    `static_control` recalls before each reply and keeps what the user said after it;
    `agent_control` gives the agent tools (`await list_tools()`) instead; `both` does
    both. The block goes into the system prompt of the reply, never into the context.
    """

    def __init__(
        self,
        store: MemoryStore,
        owner_id: str,
        *,
        mode: Mode = "both",
        session_id: str = "",
        source_name: str = "agentscope",
        limit: int = LIMIT,
    ) -> None:
        self.owner_id = owner_id
        self.session_id = session_id
        self.source = Source("inference", source_name)
        self.keeper = Keeper(store, source_name=source_name, limit=limit)
        self._mode = mode
        self._blocks: weakref.WeakKeyDictionary[Agent, str] = (
            weakref.WeakKeyDictionary()
        )

    async def on_reply(
        self,
        agent: Agent,
        input_kwargs: dict[str, Any],
        next_handler: Callable[..., AsyncGenerator[Any, None]],
    ) -> AsyncGenerator[Any, None]:
        """Recall, let the agent reply, keep what the user said."""
        said = _said(input_kwargs.get("inputs"))
        static = self._mode != "agent_control"
        if static and said:
            self._blocks[agent] = await self.keeper.ablock(
                "\n".join(m.get_text_content() or "" for m in said),
                owner_id=self.owner_id,
                session_id=self.session_id,
            )
        async for item in next_handler(**input_kwargs):
            yield item
        if static:
            await self._remember(said)

    async def on_system_prompt(self, agent: Agent, current_prompt: str) -> str:
        """Return the prompt with the block that was recalled for this reply."""
        block = self._blocks.get(agent)
        return f"{current_prompt}\n\n{block}" if block else current_prompt

    async def list_tools(self) -> list[ToolBase]:
        """Return the memory tools, none in `static_control`."""
        if self._mode == "static_control":
            return []
        return [SearchMemory(self), AddMemory(self)]

    async def _remember(self, said: list[Msg]) -> None:
        for msg in said:
            await self.keeper.aremember(
                msg.get_text_content() or "",
                owner_id=self.owner_id,
                session_id=self.session_id,
                key=once_key("agentscope", self.owner_id, msg.id),
            )


class MemoryTool(ToolBase):
    """What both tools share: the owner comes from the middleware, not the model."""

    is_mcp = False
    is_external_tool = False
    is_state_injected = False
    mcp_name = None

    def __init__(self, middleware: MnemeMiddleware) -> None:
        super().__init__()
        self._memory = middleware

    async def check_permissions(self, *args: Any, **kwargs: Any) -> PermissionDecision:
        """Allow: the store itself decides what may be read and written."""
        return PermissionDecision(
            behavior=PermissionBehavior.ALLOW, message="the store checks access"
        )


class SearchMemory(MemoryTool):
    """The tool that searches what is remembered about the user."""

    name = "search_memory"
    description = (
        "Search what is remembered about the user. Each phrase is searched by itself."
    )
    input_schema = {
        "type": "object",
        "properties": {
            "keywords": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Short phrases: a name, a date, a topic.",
            },
            "limit": {"type": "integer", "default": 5, "minimum": 1, "maximum": 20},
        },
        "required": ["keywords"],
    }
    is_concurrency_safe = True
    is_read_only = True

    async def call(self, keywords: list[str], limit: int = 5) -> ToolChunk:
        merged: dict[str | None, Found] = {}
        try:
            for keyword in keywords:
                for found in await self._memory.keeper.arecall(
                    keyword, owner_id=self._memory.owner_id, limit=limit
                ):
                    merged.setdefault(found.item.memory_id, found)
        except MnemeError as error:
            return _chunk(str(error), ToolResultState.ERROR)
        block = fenced(list(merged.values()), now=utc_now())
        return _chunk(block or "Nothing is remembered about that.")


class AddMemory(MemoryTool):
    """The tool that keeps facts."""

    name = "add_memory"
    description = (
        "Keep facts about the user for later conversations, each as one short sentence"
        " that makes sense alone. Do not repeat what a search returned."
    )
    input_schema = {
        "type": "object",
        "properties": {
            "content": {
                "type": "array",
                "items": {"type": "string"},
                "description": "The facts, one sentence each.",
            },
        },
        "required": ["content"],
    }
    is_concurrency_safe = False
    is_read_only = False

    async def call(self, content: list[str]) -> ToolChunk:
        memory = self._memory
        kept = 0
        try:
            for text in content:
                item = MemoryItem(
                    owner_id=memory.owner_id,
                    content=text,
                    source=memory.source,
                    session_id=memory.session_id,
                )
                kept += await asyncio.to_thread(memory.keeper.keep, item) is not None
        except MnemeError as error:
            return _chunk(str(error), ToolResultState.ERROR)
        return _chunk(f"Kept {kept} of {len(content)}.")


def _said(inputs: Any) -> list[Msg]:
    """Return the user's messages of a reply's input, none for a resumed reply."""
    msgs = inputs if isinstance(inputs, list) else [inputs]
    return [m for m in msgs if isinstance(m, Msg) and m.role == "user"]


def _chunk(text: str, state: ToolResultState = ToolResultState.SUCCESS) -> ToolChunk:
    return ToolChunk(content=[TextBlock(text=text)], state=state)
