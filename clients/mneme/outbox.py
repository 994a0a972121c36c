"""Writes that wait on disk for the service: in order, each sent once."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import Any

from mneme import jsonlines
from mneme.errors import MnemeError, Unavailable
from mneme.locking import FileLock

_TABLES = """
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS waiting (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, op TEXT NOT NULL,
  data TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS refused (
  seq INTEGER PRIMARY KEY, key TEXT NOT NULL, op TEXT NOT NULL, data TEXT NOT NULL,
  reason TEXT NOT NULL);
COMMIT;
"""


@dataclass(frozen=True)
class Entry:
    """One waiting write. `key` is its idempotency key, the same on every sending."""

    key: str
    op: str
    data: dict[str, Any]


class Outbox:
    """A queue on disk (mode 600) that several processes may fill and one drains.

    An entry is removed after its answer came; if the process dies between the two, the
    next sending carries the same key, and the service answers without doing it twice
    (it keeps keys for 24 hours).
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        self._lock = FileLock(path.with_name(path.name + ".lock"))
        self._threads = RLock()
        self._base = sqlite3.connect(
            path, timeout=30, isolation_level=None, check_same_thread=False
        )
        self._base.execute("PRAGMA secure_delete = ON")
        self._base.execute("PRAGMA synchronous = FULL")
        self._base.executescript(_TABLES)

    def add(self, entry: Entry) -> None:
        """Put a write at the end; it is on disk when this returns."""
        with self._threads:
            self._base.execute(
                "INSERT OR IGNORE INTO waiting (key, op, data) VALUES (?, ?, ?)",
                [entry.key, entry.op, jsonlines.dumps(entry.data)],
            )

    def __len__(self) -> int:
        with self._threads:
            (count,) = self._base.execute("SELECT count(*) FROM waiting").fetchone()
        return int(count)

    def refused(self) -> list[tuple[Entry, str]]:
        """Return the writes that the service refused, with its reason."""
        with self._threads:
            rows = self._base.execute(
                "SELECT key, op, data, reason FROM refused ORDER BY seq"
            ).fetchall()
        return [(Entry(k, op, jsonlines.loads(d)), reason) for k, op, d, reason in rows]

    def drain(self, send: Callable[[Entry], None]) -> bool:
        """Send what waits, first to last; True if nothing waits afterwards.

        `send` raises `Unavailable` to stop and keep the rest, any other `MnemeError`
        to set this entry aside. Where another process drains already, returns False.
        """
        if not len(self):
            return True
        try:
            with self._lock.held(wait=0):
                while (first := self._first()) is not None:
                    self._send(*first, send)
        except Unavailable:
            return False
        return True

    def close(self) -> None:
        with self._threads:
            self._base.close()

    def _first(self) -> tuple[int, Entry] | None:
        with self._threads:
            row = self._base.execute(
                "SELECT seq, key, op, data FROM waiting ORDER BY seq LIMIT 1"
            ).fetchone()
        return row and (row[0], Entry(row[1], row[2], jsonlines.loads(row[3])))

    def _send(self, seq: int, entry: Entry, send: Callable[[Entry], None]) -> None:
        reason = None
        try:
            send(entry)
        except Unavailable:
            raise
        except MnemeError as error:
            reason = str(error)
        with self._threads:
            self._base.execute("BEGIN IMMEDIATE")
            if reason is not None:
                self._base.execute(
                    "INSERT INTO refused SELECT seq, key, op, data, ? FROM waiting"
                    " WHERE seq = ?",
                    [reason, seq],
                )
            self._base.execute("DELETE FROM waiting WHERE seq = ?", [seq])
            self._base.execute("COMMIT")
