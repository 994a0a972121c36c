"""What the agent sees while the service is down: an error, nothing, or a spool."""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, TypeVar

from mneme.errors import Refused, Unavailable
from mneme.items import MemoryItem
from mneme.outbox import Entry, Outbox
from mneme.protocol import Filter, Found, ImportReport, MemoryStore, Saved

logger = logging.getLogger("mneme")
T = TypeVar("T")
REST = 5.0  # seconds a service that was down is not asked again


class GuardedStore:
    """A store that keeps the agent going while the one behind it is down.

    Reads come back empty. Writes are dropped with a warning, or with an `outbox` kept
    on disk and sent before the next call that gets through. After a failure the service
    is left alone for `rest` seconds, so that the agent does not wait at every call.
    Export and import are not guarded: half an answer would look like a whole one.
    """

    def __init__(
        self,
        store: MemoryStore,
        *,
        outbox: Outbox | None = None,
        rest: float = REST,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._outbox = outbox
        self._rest = rest
        self._clock = clock
        self._down_until = float("-inf")

    def save(self, item: MemoryItem, *, key: str | None = None) -> Saved:
        line = item.to_dict()
        return self._write("save", line, key, lambda k: self._store.save(item, key=k))

    def update(self, item: MemoryItem, *, key: str | None = None) -> Saved:
        line = item.to_dict()
        return self._write(
            "update", line, key, lambda k: self._store.update(item, key=k)
        )

    def forget(
        self,
        memory_id: str,
        *,
        owner_id: str,
        reason: str = "",
        key: str | None = None,
    ) -> bool:
        data = {"memory_id": memory_id, "owner_id": owner_id, "reason": reason}

        def send(used: str) -> Saved:
            done = self._store.forget(
                memory_id, owner_id=owner_id, reason=reason, key=used
            )
            return Saved(memory_id, "forgotten" if done else "unchanged")

        return self._write("forget", data, key, send).event == "forgotten"

    def load(
        self,
        memory_id: str | None = None,
        *,
        owner_id: str,
        external_id: str | None = None,
    ) -> MemoryItem | None:
        return self._read(
            lambda: self._store.load(
                memory_id, owner_id=owner_id, external_id=external_id
            ),
            None,
        )

    def search(
        self,
        query: str,
        *,
        owner_id: str,
        limit: int = 10,
        filter: Filter | None = None,
        namespaces: Sequence[str] | None = None,
        session_id: str | None = None,
    ) -> list[Found]:
        return self._read(
            lambda: self._store.search(
                query,
                owner_id=owner_id,
                limit=limit,
                filter=filter,
                namespaces=namespaces,
                session_id=session_id,
            ),
            [],
        )

    def items(
        self, *, owner_id: str, filter: Filter | None = None, status: str = "active"
    ) -> Iterator[MemoryItem]:
        whole: list[MemoryItem] = self._read(
            lambda: list(
                self._store.items(owner_id=owner_id, filter=filter, status=status)
            ),
            [],
        )
        return iter(whole)

    def export(self, *, owner_id: str | None = None) -> Iterator[MemoryItem]:
        return self._store.export(owner_id=owner_id)

    def import_batch(
        self, items: Iterable[MemoryItem], *, dry_run: bool = False
    ) -> ImportReport:
        return self._store.import_batch(items, dry_run=dry_run)

    def flush(self) -> bool:
        """Send what waits, down or not; True if nothing waits afterwards."""
        return self._outbox is None or self._outbox.drain(self._send_entry)

    def close(self) -> None:
        self._store.close()
        if self._outbox is not None:
            self._outbox.close()

    def __enter__(self) -> GuardedStore:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _read(self, ask: Callable[[], T], nothing: T) -> T:
        if self._resting():
            return nothing
        try:
            self.flush()
            return ask()
        except Unavailable as error:
            self._note_down(error)
            return nothing

    def _write(
        self,
        op: str,
        data: Mapping[str, Any],
        key: str | None,
        send: Callable[[str], Saved],
    ) -> Saved:
        used = key or str(uuid.uuid4())
        try:
            if not self._resting() and self.flush():
                return send(used)
        except Unavailable as error:
            self._note_down(error)
        if self._outbox is None:
            return Saved(None, "lost")
        self._outbox.add(Entry(used, op, dict(data)))
        return Saved(None, "spooled")

    def _resting(self) -> bool:
        return self._clock() < self._down_until

    def _note_down(self, error: Unavailable) -> None:
        self._down_until = self._clock() + self._rest
        logger.warning("memory is unavailable, the agent goes on: %s", error)

    def _send_entry(self, entry: Entry) -> None:
        data = entry.data
        try:
            if entry.op == "forget":
                self._store.forget(**data, key=entry.key)
            else:
                values = {k: v for k, v in data.items() if k != "schema_version"}
                item = MemoryItem.from_fields(values)
                verb = self._store.save if entry.op == "save" else self._store.update
                verb(item, key=entry.key)
        except Refused as error:
            if error.status == 401:  # says nothing about the writes that wait
                raise Unavailable(str(error)) from error
            logger.warning("a spooled %s was refused: %s", entry.op, error)
            raise
