"""Any store for asynchronous code: the same calls, in threads of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from types import TracebackType
from typing import TypeVar

from mneme.items import MemoryItem
from mneme.protocol import Filter, Found, ImportReport, MemoryStore, Saved

T = TypeVar("T")
THREADS = 32  # calls at once; each waits for a disk or a socket
STEP = 100  # memories fetched for one hop between threads


class ThreadedStore:
    """The asynchronous face of a store. One implementation, so both behave alike."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="mneme")

    async def save(self, item: MemoryItem, *, key: str | None = None) -> Saved:
        return await self._run(partial(self._store.save, item, key=key))

    async def update(self, item: MemoryItem, *, key: str | None = None) -> Saved:
        return await self._run(partial(self._store.update, item, key=key))

    async def load(
        self,
        memory_id: str | None = None,
        *,
        owner_id: str,
        external_id: str | None = None,
    ) -> MemoryItem | None:
        return await self._run(
            partial(
                self._store.load, memory_id, owner_id=owner_id, external_id=external_id
            )
        )

    async def search(
        self,
        query: str,
        *,
        owner_id: str,
        limit: int = 10,
        filter: Filter | None = None,
        namespaces: Sequence[str] | None = None,
        session_id: str | None = None,
    ) -> list[Found]:
        return await self._run(
            partial(
                self._store.search,
                query,
                owner_id=owner_id,
                limit=limit,
                filter=filter,
                namespaces=namespaces,
                session_id=session_id,
            )
        )

    def items(
        self, *, owner_id: str, filter: Filter | None = None, status: str = "active"
    ) -> AsyncIterator[MemoryItem]:
        return self._steps(
            partial(self._store.items, owner_id=owner_id, filter=filter, status=status)
        )

    async def forget(
        self,
        memory_id: str,
        *,
        owner_id: str,
        reason: str = "",
        key: str | None = None,
    ) -> bool:
        return await self._run(
            partial(
                self._store.forget, memory_id, owner_id=owner_id, reason=reason, key=key
            )
        )

    def export(self, *, owner_id: str | None = None) -> AsyncIterator[MemoryItem]:
        return self._steps(partial(self._store.export, owner_id=owner_id))

    async def import_batch(
        self, items: Iterable[MemoryItem], *, dry_run: bool = False
    ) -> ImportReport:
        return await self._run(
            partial(self._store.import_batch, items, dry_run=dry_run)
        )

    async def close(self) -> None:
        await self._run(self._store.close)
        self._threads.shutdown(wait=False)

    async def __aenter__(self) -> ThreadedStore:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def _run(self, call: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    async def _steps(
        self, start: Callable[[], Iterator[MemoryItem]]
    ) -> AsyncIterator[MemoryItem]:
        rest = await self._run(start)
        while step := await self._run(partial(_take, rest)):
            for item in step:
                yield item


def _take(rest: Iterator[MemoryItem]) -> list[MemoryItem]:
    return list(islice(rest, STEP))
