"""AgentScope 1.0: `LongTermMemoryBase` over any back end, for both of its modes."""

from __future__ import annotations

from typing import Any

from agentscope.memory import LongTermMemoryBase
from agentscope.message import Msg, TextBlock
from agentscope.tool import ToolResponse

from mneme.context import fenced
from mneme.items import MemoryItem, Source
from mneme.keeper import Keeper, once_key
from mneme.protocol import Found, MemoryStore
from mneme.times import utc_now

_HINT = "long_term_memory"  # the name of the message that carries recalled memories


class MnemeLongTermMemory(LongTermMemoryBase):
    """Long-term memory of one owner for `ReActAgent(long_term_memory=...)`."""

    def __init__(
        self,
        store: MemoryStore,
        owner_id: str,
        *,
        session_id: str = "",
        source_name: str = "agentscope",
    ) -> None:
        super().__init__()
        self._owner_id = owner_id
        self._session_id = session_id
        self._keeper = Keeper(store, source_name=source_name)
        self._source = Source("inference", source_name)
        self._recorded: set[str] = set()

    async def record(self, msgs: list[Msg | None], **kwargs: Any) -> None:
        """Keep what the user said, each message once; the agent hands in them all."""
        for msg in msgs:
            if msg is None or msg.role != "user" or msg.name == _HINT:
                continue
            if msg.id in self._recorded:
                continue
            await self._keeper.aremember(
                msg.get_text_content() or "",
                owner_id=self._owner_id,
                session_id=self._session_id,
                key=once_key("agentscope", self._owner_id, msg.id),
            )
            self._recorded.add(msg.id)

    async def retrieve(
        self, msg: Msg | list[Msg] | None, limit: int = 5, **kwargs: Any
    ) -> str:
        """Return the fenced block for the messages, "" if nothing is known."""
        msgs = msg if isinstance(msg, list) else [msg]
        texts = [m.get_text_content() or "" for m in msgs if m is not None]
        found = await self._recall("\n".join(texts), limit)
        return fenced(found, now=utc_now())

    async def record_to_memory(
        self, thinking: str, content: list[str], **kwargs: Any
    ) -> ToolResponse:
        """Keep facts about the user for later conversations.

        Write each fact as one short sentence that makes sense alone. Do not repeat
        what a search of the memory returned.

        Args:
            thinking (`str`):
                Why these facts are worth keeping. It is not kept.
            content (`list[str]`):
                The facts, one sentence each.
        """
        kept = 0
        for text in content:
            item = MemoryItem(
                owner_id=self._owner_id,
                content=text,
                source=self._source,
                session_id=self._session_id,
            )
            kept += self._keeper.keep(item) is not None
        return _answer(f"Kept {kept} of {len(content)}.")

    async def retrieve_from_memory(
        self, keywords: list[str], limit: int = 5, **kwargs: Any
    ) -> ToolResponse:
        """Search what is remembered about the user.

        Args:
            keywords (`list[str]`):
                Short phrases to look for, such as a name, a date or a topic. Each is
                searched by itself.
            limit (`int`, optional):
                How many memories to return for each phrase. Defaults to 5.
        """
        merged: dict[str | None, Found] = {}
        for keyword in keywords:
            for found in await self._recall(keyword, limit):
                merged.setdefault(found.item.memory_id, found)
        block = fenced(list(merged.values()), now=utc_now())
        return _answer(block or "Nothing is remembered about that.")

    async def _recall(self, query: str, limit: int) -> list[Found]:
        return await self._keeper.arecall(
            query, owner_id=self._owner_id, session_id=self._session_id, limit=limit
        )


def _answer(text: str) -> ToolResponse:
    return ToolResponse(content=[TextBlock(type="text", text=text)])
