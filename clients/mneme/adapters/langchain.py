"""LangChain agents (`create_agent`): recall before the model, remember after it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any

from langchain.agents.middleware import (
    AgentMiddleware,
    AgentState,
    ModelRequest,
    ModelResponse,
)
from langchain.agents.middleware.types import PrivateStateAttr
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage
from langgraph.config import get_config
from langgraph.runtime import Runtime
from typing_extensions import NotRequired

from mneme.keeper import LIMIT, Keeper, once_key
from mneme.noticing import notice
from mneme.protocol import MemoryStore


class MnemeState(AgentState[Any]):
    """What one run keeps for itself: the recalled block and the new user messages."""

    mneme_block: NotRequired[Annotated[str, PrivateStateAttr]]
    mneme_heard: NotRequired[Annotated[list[tuple[str, str]], PrivateStateAttr]]


class MnemeMiddleware(AgentMiddleware[MnemeState, Any, Any]):
    """Memory for an agent made with `create_agent(middleware=[...])`.

    `owner_id` is fixed, or a function from the runtime to the user of this run, as in
    `lambda runtime: runtime.context.user_id`. The block is searched once a run and
    added to the system message of each model call; it never enters the history, so
    it neither grows there nor comes back as something the user said.
    """

    state_schema = MnemeState

    def __init__(
        self,
        store: MemoryStore,
        owner_id: str | Callable[[Runtime[Any]], str],
        *,
        source_name: str = "langchain",
        limit: int = LIMIT,
        notice: Callable[[str], str | None] = notice,
    ) -> None:
        super().__init__()
        self.tools = []
        self._owner_id = owner_id
        self._keeper = Keeper(
            store, source_name=source_name, limit=limit, notice=notice
        )

    def before_agent(self, state: MnemeState, runtime: Runtime[Any]) -> dict[str, Any]:
        """Search once, for the newest thing the user said."""
        heard = _heard(state["messages"])
        block = self._keeper.block(
            "\n".join(text for _, text in heard),
            owner_id=self._owner(runtime),
            session_id=_session_id(),
        )
        return {"mneme_block": block, "mneme_heard": heard}

    async def abefore_agent(
        self, state: MnemeState, runtime: Runtime[Any]
    ) -> dict[str, Any]:
        return await asyncio.to_thread(self.before_agent, state, runtime)

    def wrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], ModelResponse[Any]],
    ) -> ModelResponse[Any]:
        """Call the model with the block behind the system message."""
        return handler(_with_block(request))

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        return await handler(_with_block(request))

    def after_agent(self, state: MnemeState, runtime: Runtime[Any]) -> None:
        """Keep what the user said in this run, once, however often it is run again."""
        owner_id, session_id = self._owner(runtime), _session_id()
        for message_id, text in state.get("mneme_heard", []):
            self._keeper.remember(
                text,
                owner_id=owner_id,
                session_id=session_id,
                key=once_key("langchain", owner_id, session_id, message_id, text),
            )

    async def aafter_agent(self, state: MnemeState, runtime: Runtime[Any]) -> None:
        await asyncio.to_thread(self.after_agent, state, runtime)

    def _owner(self, runtime: Runtime[Any]) -> str:
        owner_id = self._owner_id
        return owner_id if isinstance(owner_id, str) else owner_id(runtime)


def _heard(messages: Sequence[AnyMessage]) -> list[tuple[str, str]]:
    """Return id and text of what the user said since the model last spoke."""
    heard: list[tuple[str, str]] = []
    for message in reversed(messages):
        if isinstance(message, AIMessage):
            break
        if isinstance(message, HumanMessage):
            heard.append((message.id or "", str(message.text)))
    return heard[::-1]


def _with_block(request: ModelRequest[Any]) -> ModelRequest[Any]:
    block = str(request.state.get("mneme_block") or "")
    if not block:
        return request
    before = request.system_message.text if request.system_message else ""
    text = f"{before}\n\n{block}" if before else block
    return request.override(system_message=SystemMessage(content=text))


def _session_id() -> str:
    return str(get_config().get("configurable", {}).get("thread_id") or "")
