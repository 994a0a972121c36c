"""Microsoft Agent Framework's `ContextProvider` over any back end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agent_framework import AgentSession, ContextProvider, SessionContext

from mneme.keeper import LIMIT, Keeper, once_key
from mneme.noticing import notice
from mneme.protocol import MemoryStore


class MnemeProvider(ContextProvider):
    """Recalls before a run and keeps what the user said after it.

    `owner_id` is whose memories are written and `search_owner_id` whose are read. The
    second is never taken from anything else than the first, so that two users of one
    agent never read each other. Both may be functions of the session.
    """

    def __init__(
        self,
        store: MemoryStore,
        owner_id: str | Callable[[AgentSession], str],
        *,
        search_owner_id: str | Callable[[AgentSession], str] | None = None,
        source_id: str = "mneme",
        limit: int = LIMIT,
        notice: Callable[[str], str | None] = notice,
    ) -> None:
        super().__init__(source_id)
        self._owner_id = owner_id
        self._search_owner_id = search_owner_id or owner_id
        self._keeper = Keeper(store, source_name=source_id, limit=limit, notice=notice)

    async def before_run(
        self,
        *,
        agent: Any,
        session: AgentSession,
        context: SessionContext,
        state: dict[str, Any],
    ) -> None:
        """Add the fenced block to the instructions of this run."""
        block = await self._keeper.ablock(
            "\n".join(_said(context)),
            owner_id=_resolve(self._search_owner_id, session),
            session_id=session.session_id,
        )
        if block:
            context.extend_instructions(self.source_id, block)

    async def after_run(
        self,
        *,
        agent: Any,
        session: AgentSession,
        context: SessionContext,
        state: dict[str, Any],
    ) -> None:
        """Keep what the user said in this run."""
        owner_id = _resolve(self._owner_id, session)
        turn = int(state.get("turn", 0))
        state["turn"] = turn + 1
        for position, text in enumerate(_said(context)):
            where = (session.session_id, str(turn), str(position))
            await self._keeper.aremember(
                text,
                owner_id=owner_id,
                session_id=session.session_id,
                key=once_key("agent_framework", owner_id, *where, text),
            )


def _said(context: SessionContext) -> list[str]:
    return [m.text for m in context.input_messages if m.role == "user" and m.text]


def _resolve(
    owner_id: str | Callable[[AgentSession], str], session: AgentSession
) -> str:
    return owner_id if isinstance(owner_id, str) else owner_id(session)
