"""Memories in a SQLite database: write-ahead log, full-text search over our terms."""

from __future__ import annotations

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from threading import RLock

from mneme import jsonlines
from mneme.deciding import identity, save_key
from mneme.errors import MnemeError, Unavailable
from mneme.items import MemoryItem
from mneme.stores.local import Candidates, LocalStore
from mneme.times import utc_now
from mneme.words import terms

LAYOUT = 1
BUSY = 30.0  # seconds to wait for another writer

_TABLES = """
CREATE TABLE IF NOT EXISTS memory (
  seq INTEGER PRIMARY KEY,
  memory_id TEXT NOT NULL UNIQUE,
  owner_id TEXT NOT NULL,
  namespace TEXT NOT NULL,
  external_id TEXT NOT NULL,
  text_key TEXT NOT NULL,
  identity TEXT NOT NULL,
  status TEXT NOT NULL,
  length INTEGER NOT NULL,
  line TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS memory_owner ON memory (owner_id, status, length);
CREATE INDEX IF NOT EXISTS memory_external ON memory (owner_id, external_id)
  WHERE external_id <> '';
CREATE INDEX IF NOT EXISTS memory_text ON memory (text_key);
CREATE INDEX IF NOT EXISTS memory_identity ON memory (identity);
CREATE VIRTUAL TABLE IF NOT EXISTS memory_terms
  USING fts5(owner, terms, tokenize = "unicode61 remove_diacritics 0");
"""


class SQLiteStore(LocalStore):
    """A store over the database at `path`, made on first use.

    Several processes may use it at once. What is forgotten is overwritten in the
    database, its search index and its log.
    """

    def __init__(self, path: Path, *, clock: Callable[[], datetime] = utc_now) -> None:
        super().__init__(clock=clock)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._threads = RLock()
        self._base = _connect(path)
        with self._unlocked_errors():
            self._prepare()

    def close(self) -> None:
        self._base.close()

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with self._threads, self._unlocked_errors(), self._transaction("BEGIN"):
            yield

    @contextmanager
    def _writing(self) -> Iterator[None]:
        self._forgotten = False
        with self._threads, self._unlocked_errors():
            with self._transaction("BEGIN IMMEDIATE"):
                yield
            if self._forgotten:
                self._base.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _by_id(self, memory_id: str) -> MemoryItem | None:
        return self._one("memory_id = ?", memory_id)

    def _by_external_id(
        self, owner_id: str, namespace: str | None, external_id: str
    ) -> MemoryItem | None:
        if not external_id:
            return None
        where = "owner_id = ? AND external_id = ? AND status = 'active'"
        if namespace is None:
            return self._one(where, owner_id, external_id)
        return self._one(f"{where} AND namespace = ?", owner_id, external_id, namespace)

    def _by_text(self, key: tuple[str, ...]) -> MemoryItem | None:
        return self._one("text_key = ? AND status = 'active'", _digest(key))

    def _by_identity(self, key: tuple[str, ...]) -> MemoryItem | None:
        return self._one("identity = ?", _digest(key))

    def _of_owner(self, owner_id: str | None) -> list[MemoryItem]:
        where, values = ("WHERE owner_id = ?", [owner_id]) if owner_id else ("", [])
        query = f"SELECT line FROM memory {where} ORDER BY seq"  # noqa: S608
        return [_item(line) for (line,) in self._base.execute(query, values)]

    def _candidates(self, owner_id: str, wanted: Sequence[str]) -> Candidates:
        total, mean_length = self._base.execute(
            "SELECT count(*), coalesce(avg(length), 0) FROM memory"
            " WHERE owner_id = ? AND status = 'active'",
            [owner_id],
        ).fetchone()
        rows = self._matching(owner_id, wanted) if wanted else []
        return Candidates(
            items=[_item(line) for line, _ in rows],
            documents=[Counter(text.split()) for _, text in rows],
            total=total,
            mean_length=mean_length,
        )

    def _put(self, item: MemoryItem) -> None:
        self._remove(item)
        words = terms(item.content)
        cursor = self._base.execute(
            "INSERT INTO memory (memory_id, owner_id, namespace, external_id, text_key,"
            " identity, status, length, line) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                item.memory_id,
                item.owner_id,
                item.namespace,
                item.external_id,
                _digest(save_key(item)),
                _digest(identity(item)),
                item.status,
                len(words),
                jsonlines.dumps(item.to_dict()),
            ],
        )
        self._base.execute(
            "INSERT INTO memory_terms (rowid, owner, terms) VALUES (?, ?, ?)",
            [cursor.lastrowid, _digest((item.owner_id,)), " ".join(words)],
        )

    def _drop(self, item: MemoryItem) -> None:
        self._remove(item)
        # A deletion only marks terms in the search index; merging it removes them.
        self._base.execute(
            "INSERT INTO memory_terms (memory_terms) VALUES ('optimize')"
        )
        self._forgotten = True

    def _remove(self, item: MemoryItem) -> None:
        row = self._base.execute(
            "SELECT seq FROM memory WHERE memory_id = ?", [item.memory_id]
        ).fetchone()
        if row is not None:
            self._base.execute("DELETE FROM memory_terms WHERE rowid = ?", row)
            self._base.execute("DELETE FROM memory WHERE seq = ?", row)

    def _matching(self, owner_id: str, wanted: Sequence[str]) -> list[tuple[str, str]]:
        words = " OR ".join(f'"{word}"' for word in dict.fromkeys(wanted))
        owner = _digest((owner_id,))
        return self._base.execute(
            "SELECT line, terms FROM memory_terms"
            " JOIN memory ON memory.seq = memory_terms.rowid"
            " WHERE memory_terms MATCH ? AND status = 'active' ORDER BY seq",
            [f'owner : "{owner}" AND terms : ({words})'],
        ).fetchall()

    def _one(self, where: str, *values: str) -> MemoryItem | None:
        query = f"SELECT line FROM memory WHERE {where} ORDER BY seq LIMIT 1"  # noqa: S608
        row = self._base.execute(query, values).fetchone()
        return None if row is None else _item(row[0])

    def _prepare(self) -> None:
        (layout,) = self._base.execute("PRAGMA user_version").fetchone()
        if layout > LAYOUT:
            raise MnemeError(f"{self._path} was written by a newer version")
        if layout < LAYOUT:
            self._base.executescript(
                f"BEGIN IMMEDIATE; {_TABLES} PRAGMA user_version = {LAYOUT}; COMMIT;"
            )

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        self._base.execute(begin)
        try:
            yield
        except BaseException:
            self._base.execute("ROLLBACK")
            raise
        self._base.execute("COMMIT")

    @contextmanager
    def _unlocked_errors(self) -> Iterator[None]:
        """Turn what SQLite cannot do now into `Unavailable`."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise Unavailable(f"{self._path}: {error}") from error


def _connect(path: Path) -> sqlite3.Connection:
    path.touch(mode=0o600)
    try:
        base = sqlite3.connect(
            path, timeout=BUSY, isolation_level=None, check_same_thread=False
        )
        base.execute("PRAGMA journal_mode = WAL")
        base.execute("PRAGMA synchronous = FULL")
        base.execute("PRAGMA secure_delete = ON")
    except sqlite3.OperationalError as error:
        raise Unavailable(f"{path}: {error}") from error
    return base


def _digest(key: tuple[str, ...]) -> str:
    return hashlib.sha256("\0".join(key).encode()).hexdigest()[:32]


def _item(line: str) -> MemoryItem:
    return MemoryItem.from_dict(jsonlines.loads(line))
