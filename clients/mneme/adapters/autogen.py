"""AutoGen's `Memory` over any back end, as a component that can be loaded."""

from __future__ import annotations

import asyncio
import json
import os
from typing import Any

from autogen_core import CancellationToken, Component
from autogen_core.memory import (
    Memory,
    MemoryContent,
    MemoryMimeType,
    MemoryQueryResult,
    UpdateContextResult,
)
from autogen_core.model_context import ChatCompletionContext
from autogen_core.models import LLMMessage, UserMessage
from pydantic import BaseModel
from typing_extensions import Self

from mneme.context import fenced
from mneme.items import MemoryItem, Source
from mneme.keeper import LIMIT, Keeper, once_key
from mneme.opening import WhenDown, open
from mneme.protocol import Found
from mneme.times import utc_now

# Many models take only one system message, at the front. A message of this source
# reaches them all.
_SOURCE = "memory"


class MnemeMemoryConfig(BaseModel):
    """What a dumped component says. The token comes from `MNEME_TOKEN`."""

    url: str
    owner_id: str
    source_name: str = "autogen"
    session_id: str = ""
    limit: int = LIMIT
    remember: bool = True
    when_down: WhenDown = "raise"
    spool: str | None = None


class MnemeMemory(Memory, Component[MnemeMemoryConfig]):
    """Memory of one owner for `AssistantAgent(memory=[...])`.

    Every turn it adds only the memories that this model context does not hold yet, so
    the context does not grow with each turn. With `remember` it keeps what the user
    says, statements only.
    """

    component_type = "memory"
    component_config_schema = MnemeMemoryConfig
    component_provider_override = "mneme.adapters.autogen.MnemeMemory"

    def __init__(self, config: MnemeMemoryConfig, *, token: str | None = None) -> None:
        self._config = config
        self._store = open(
            config.url,
            token=os.environ.get("MNEME_TOKEN", "") if token is None else token,
            when_down=config.when_down,
            spool=config.spool,
        )
        self._keeper = Keeper(
            self._store, source_name=config.source_name, limit=config.limit
        )
        self._kept: set[str] = set()

    async def update_context(
        self, model_context: ChatCompletionContext
    ) -> UpdateContextResult:
        """Add what the newest message recalls and the context does not hold yet."""
        messages = await model_context.get_messages()
        said = [
            str(m.content)
            for m in messages
            if isinstance(m, UserMessage) and not _is_ours(m)
        ]
        found = await self._keeper.arecall(
            said[-1] if said else "",
            owner_id=self._config.owner_id,
            session_id=self._config.session_id,
        )
        shown = "\n".join(str(m.content) for m in messages if _is_ours(m))
        new = [one for one in found if not _holds(shown, one)]
        if new:
            block = fenced(new, now=utc_now())
            await model_context.add_message(UserMessage(content=block, source=_SOURCE))
        if self._config.remember:
            await self._remember(said)
        results = [_content_of(one) for one in new]
        return UpdateContextResult(memories=MemoryQueryResult(results=results))

    async def query(
        self,
        query: str | MemoryContent,
        cancellation_token: CancellationToken | None = None,
        **kwargs: Any,
    ) -> MemoryQueryResult:
        """Return memories with score, created_at and id in their metadata."""
        found = await self._keeper.arecall(
            query if isinstance(query, str) else _text_of(query),
            owner_id=self._config.owner_id,
            limit=int(kwargs.get("limit", 0)),
        )
        return MemoryQueryResult(results=[_content_of(one) for one in found])

    async def add(
        self,
        content: MemoryContent,
        cancellation_token: CancellationToken | None = None,
    ) -> None:
        """Keep a text or a JSON value; `metadata["category"]` may name its category."""
        metadata = dict(content.metadata or {})
        item = MemoryItem(
            owner_id=self._config.owner_id,
            content=_text_of(content),
            type=metadata.pop("category", "fact"),
            source=Source("inference", self._config.source_name),
            session_id=self._config.session_id,
            metadata=metadata,
        )
        await asyncio.to_thread(self._store.save, item)

    async def clear(self) -> None:
        """Forget what this source saved for the owner."""
        await asyncio.to_thread(self._forget_own)

    async def close(self) -> None:
        """Release files and connections."""
        await asyncio.to_thread(self._store.close)

    @classmethod
    def _from_config(cls, config: MnemeMemoryConfig) -> Self:
        return cls(config)

    def _to_config(self) -> MnemeMemoryConfig:
        return self._config

    async def _remember(self, said: list[str]) -> None:
        owner_id, session_id = self._config.owner_id, self._config.session_id
        for position, text in enumerate(said):
            key = once_key("autogen", owner_id, session_id, str(position), text)
            if key not in self._kept:
                await self._keeper.aremember(
                    text, owner_id=owner_id, session_id=session_id
                )
                self._kept.add(key)

    def _forget_own(self) -> None:
        owner_id = self._config.owner_id
        for item in list(self._store.items(owner_id=owner_id)):
            if item.source.name == self._config.source_name and item.memory_id:
                self._store.forget(item.memory_id, owner_id=owner_id)


def _is_ours(message: LLMMessage) -> bool:
    return isinstance(message, UserMessage) and message.source == _SOURCE


def _holds(shown: str, found: Found) -> bool:
    """Say whether a block already shows the memory: its quoted text is in a line."""
    line = fenced([found], now=utc_now()).splitlines()[-2]
    return line.partition("] ")[2] in shown


def _content_of(found: Found) -> MemoryContent:
    item = found.item
    return MemoryContent(
        content=item.content,
        mime_type=MemoryMimeType.TEXT,
        metadata={
            **item.metadata,
            "id": item.memory_id,
            "score": found.score,
            "category": item.type,
            "created_at": item.to_dict().get("created_at"),
        },
    )


def _text_of(content: MemoryContent) -> str:
    value = content.content
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    raise ValueError(f"a {content.mime_type} is no text to remember")
