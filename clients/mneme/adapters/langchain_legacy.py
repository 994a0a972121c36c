"""LangChain's older memory classes, for chains that still use them.

`BaseMemory` and chat histories are deprecated and leave with version 2; new agents
use `mneme.adapters.langchain`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_classic.base_memory import BaseMemory
from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.messages import BaseMessage, message_to_dict, messages_from_dict

from mneme.items import MemoryItem, Source
from mneme.keeper import Keeper
from mneme.keyed import CATEGORY, records, save_record
from mneme.protocol import Filter, MemoryStore

_MARK = "langchain_message"
_KINDS = {"human": "user_input", "tool": "tool_result"}


class MnemeMemory(BaseMemory):
    """A chain's memory: recalls for the input, keeps what the user said.

    `input_key` names the chain's input that is the user's text; without it there must
    be one input only. The chain's prompt has the variable `memory_key`.
    """

    store: Any
    owner_id: str
    session_id: str = ""
    memory_key: str = "memories"
    input_key: str | None = None
    source_name: str = "langchain"

    @property
    def memory_variables(self) -> list[str]:
        """The one variable that this memory fills."""
        return [self.memory_key]

    def load_memory_variables(self, inputs: dict[str, Any]) -> dict[str, Any]:
        """Return the fenced block for the input, "" if nothing is known."""
        block = self._keeper().block(
            self._input(inputs), owner_id=self.owner_id, session_id=self.session_id
        )
        return {self.memory_key: block}

    def save_context(self, inputs: dict[str, Any], outputs: dict[str, str]) -> None:
        """Keep the user's text if it is worth it; the answer is not kept."""
        self._keeper().remember(
            self._input(inputs), owner_id=self.owner_id, session_id=self.session_id
        )

    def clear(self) -> None:
        """Forget what this session left, not the owner's other memories."""
        for item in list(self.store.items(owner_id=self.owner_id)):
            ours = item.source.name == self.source_name
            if ours and item.session_id == self.session_id and item.memory_id:
                self.store.forget(item.memory_id, owner_id=self.owner_id)

    def _keeper(self) -> Keeper:
        return Keeper(self.store, source_name=self.source_name)

    def _input(self, inputs: dict[str, Any]) -> str:
        named = {k: v for k, v in inputs.items() if k != self.memory_key}
        if self.input_key is not None:
            return str(named[self.input_key])
        if len(named) != 1:
            raise ValueError(f"set input_key to one of {sorted(named)}")
        return str(next(iter(named.values())))


class MnemeChatHistory(BaseChatMessageHistory):
    """The messages of one session, kept as memories in their order.

    Each message is an event of its own; its whole form is in the metadata.
    """

    def __init__(
        self,
        store: MemoryStore,
        owner_id: str,
        session_id: str,
        *,
        source_name: str = "langchain",
    ) -> None:
        self._store = store
        self._owner_id = owner_id
        self._session_id = session_id
        self._source_name = source_name

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]
        """The session's messages, oldest first."""
        items = sorted(self._items(), key=lambda item: item.position or 0)
        return messages_from_dict([dict(item.metadata[_MARK]) for item in items])

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Append messages."""
        start = max((item.position or 0 for item in self._items()), default=-1) + 1
        for position, message in enumerate(messages, start):
            name = f"{self._session_id}/{position}"
            save_record(self._store, self._made(message, position), name)

    def clear(self) -> None:
        """Forget the session's messages."""
        for item in self._items():
            if item.memory_id:
                self._store.forget(item.memory_id, owner_id=self._owner_id)

    def _items(self) -> list[MemoryItem]:
        items = records(self._store, self._owner_id, Filter(tags=(_MARK,)))
        return [item for item in items if item.session_id == self._session_id]

    def _made(self, message: BaseMessage, position: int) -> MemoryItem:
        kind = _KINDS.get(message.type, "inference")
        return MemoryItem(
            owner_id=self._owner_id,
            content=str(message.text).strip() or f"({message.type} without text)",
            type=CATEGORY,
            source=Source(kind, self._source_name),
            tags=(_MARK,),
            session_id=self._session_id,
            position=position,
            external_id=f"{_MARK}:{self._session_id}:{position}"[-200:],
            metadata={_MARK: message_to_dict(message)},
        )
