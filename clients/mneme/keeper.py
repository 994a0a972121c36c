"""What every chat adapter does: recall before the model, remember after it."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import islice

from mneme.context import fenced
from mneme.errors import MnemeError, Unavailable
from mneme.items import MemoryItem, Source
from mneme.noticing import notice
from mneme.protocol import Filter, Found, MemoryStore, Saved
from mneme.times import utc_now

logger = logging.getLogger("mneme")
LIMIT = 6  # memories in a prompt
MAX_QUERY = 1_000  # characters the service takes
_OVERVIEW = ("profile", "constraint", "preference")
_OVERVIEW_EACH = 20  # looked at, a category


class Keeper:
    """Recalls for a prompt and keeps what a user says, for one store.

    `source_name` tells where memories come from (the channel, the agent). `notice`
    returns the category to keep a message under, or None. A write that the store
    refuses is logged, not raised: the answer to the user is already there.
    """

    def __init__(
        self,
        store: MemoryStore,
        *,
        source_name: str,
        limit: int = LIMIT,
        notice: Callable[[str], str | None] = notice,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self.store = store
        self._source_name = source_name
        self._limit = limit
        self._notice = notice
        self._clock = clock

    def recall(
        self, query: str, *, owner_id: str, session_id: str = "", limit: int = 0
    ) -> list[Found]:
        """Return what answers the query, filled up with who the user is."""
        most = limit or self._limit
        found: list[Found] = []
        if query.strip():
            found = self.store.search(
                query[-MAX_QUERY:],
                owner_id=owner_id,
                limit=most,
                session_id=session_id or None,
            )
        known = {one.item.memory_id for one in found}
        if len(found) < most:
            found += [
                Found(item, 0.0)
                for item in self._overview(owner_id)
                if item.memory_id not in known
            ]
        return found[:most]

    def block(self, query: str, *, owner_id: str, session_id: str = "") -> str:
        """Return the recalled memories as a fenced block, or "" if there are none."""
        found = self.recall(query, owner_id=owner_id, session_id=session_id)
        return fenced(found, now=self._clock())

    def remember(
        self, text: str, *, owner_id: str, session_id: str = "", key: str | None = None
    ) -> Saved | None:
        """Keep a message of the user if it is worth it; None if it was let go."""
        category = self._notice(text)
        if category is None:
            return None
        return self.keep(
            MemoryItem(
                owner_id=owner_id,
                content=text.strip(),
                type=category,
                source=Source("user_input", self._source_name),
                session_id=session_id,
            ),
            key=key,
        )

    def keep(self, item: MemoryItem, *, key: str | None = None) -> Saved | None:
        """Save a memory; None if the store refused it."""
        try:
            return self.store.save(item, key=key)
        except Unavailable:
            raise
        except MnemeError as error:
            logger.warning("a memory was not kept: %s", error)
            return None

    async def arecall(
        self, query: str, *, owner_id: str, session_id: str = "", limit: int = 0
    ) -> list[Found]:
        return await asyncio.to_thread(
            self.recall, query, owner_id=owner_id, session_id=session_id, limit=limit
        )

    async def ablock(self, query: str, *, owner_id: str, session_id: str = "") -> str:
        return await asyncio.to_thread(
            self.block, query, owner_id=owner_id, session_id=session_id
        )

    async def aremember(
        self, text: str, *, owner_id: str, session_id: str = "", key: str | None = None
    ) -> Saved | None:
        return await asyncio.to_thread(
            self.remember, text, owner_id=owner_id, session_id=session_id, key=key
        )

    def _overview(self, owner_id: str) -> Sequence[MemoryItem]:
        kinds: list[MemoryItem] = []
        for category in _OVERVIEW:
            items = self.store.items(owner_id=owner_id, filter=Filter((category,)))
            newest_first = sorted(
                islice(items, _OVERVIEW_EACH), key=_moment, reverse=True
            )
            kinds += newest_first[: max(1, self._limit // 2)]
        return kinds


def once_key(*parts: str) -> str:
    """Return an idempotency key that is the same for the same parts."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _moment(item: MemoryItem) -> str:
    moment = item.timestamp or item.created_at
    return moment.isoformat() if moment else ""
