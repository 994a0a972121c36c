"""Memories in one JSONL file that a person can read and edit.

Every line is a memory in the portable format; a later line with the same id replaces
an earlier one. Writers append under a lock and wait for the disk; `forget` and
compaction rewrite the file beside it and swap, so a reader sees one state or the other.
"""

from __future__ import annotations

import dataclasses
import os
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from threading import RLock
from typing import BinaryIO

from mneme import checks, jsonlines
from mneme.errors import InvalidItem
from mneme.items import SCHEMA_VERSION, MemoryItem
from mneme.locking import FileLock
from mneme.protocol import BadLine
from mneme.stores.index import Index
from mneme.stores.local import Candidates, LocalStore
from mneme.times import utc_now

MIN_STALE = 1_000  # replaced lines below which a compaction is not worth its write


class FileStore(LocalStore):
    """A store over the JSONL file at `path`, made on first use (mode 600).

    Lines that are no memory are skipped, listed in `bad_lines`, and moved to
    `<path>.quarantine` when the file is rewritten.
    """

    def __init__(self, path: Path, *, clock: Callable[[], datetime] = utc_now) -> None:
        super().__init__(clock=clock)
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = FileLock(path.with_name(path.name + ".lock"))
        self._threads = RLock()
        self._pending: list[MemoryItem] = []
        self._reset()

    @property
    def bad_lines(self) -> tuple[BadLine, ...]:
        """The lines of the file that are no memory, as last read."""
        return tuple(bad for bad, _ in self._bad)

    def compact(self) -> None:
        """Rewrite the file with one line a memory."""
        with self._writing():
            self._rewrite()

    def close(self) -> None:
        self._reset()

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with self._threads:
            self._refresh()
            yield

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._threads, self._lock.held():
            self._refresh()
            try:
                yield
                lines = self._lines + self._append_pending()
            finally:
                if self._pending:  # not on disk, so not in memory either
                    self._reset()
            if lines - len(self._index) > max(MIN_STALE, len(self._index)):
                self._rewrite()

    def _by_id(self, memory_id: str) -> MemoryItem | None:
        return self._index.by_id.get(memory_id)

    def _by_external_id(
        self, owner_id: str, namespace: str | None, external_id: str
    ) -> MemoryItem | None:
        return self._index.by_external_id(owner_id, namespace, external_id)

    def _by_text(self, key: tuple[str, ...]) -> MemoryItem | None:
        return self._index.by_text(key)

    def _by_identity(self, key: tuple[str, ...]) -> MemoryItem | None:
        return self._index.by_identity(key)

    def _of_owner(self, owner_id: str | None) -> list[MemoryItem]:
        return self._index.of_owner(owner_id)

    def _candidates(self, owner_id: str, wanted: Sequence[str]) -> Candidates:
        active = [i for i in self._index.of_owner(owner_id) if i.status == "active"]
        documents = [self._index.document(item) for item in active]
        pairs = [
            (item, document)
            for item, document in zip(active, documents, strict=True)
            if not document.keys().isdisjoint(wanted)
        ]
        length = sum(document.total() for document in documents)
        return Candidates(
            items=[item for item, _ in pairs],
            documents=[document for _, document in pairs],
            total=len(active),
            mean_length=length / len(active) if active else 0.0,
        )

    def _put(self, item: MemoryItem) -> None:
        self._index.put(item)
        self._pending.append(item)

    def _drop(self, item: MemoryItem) -> None:
        self._index.drop(item)
        self._rewrite()

    def _reset(self) -> None:
        self._index = Index()
        self._bad: list[tuple[BadLine, str]] = []
        self._pending = []
        self._lines = 0
        self._offset = 0
        self._first = b""

    def _refresh(self) -> None:
        """Read what other processes appended, or all of a file that was rewritten."""
        try:
            with self._path.open("rb") as file:
                first = file.readline()
                size = os.fstat(file.fileno()).st_size
                if first != self._first or size < self._offset:
                    self._reset()
                    self._first = first
                file.seek(self._offset)
                for line in file:
                    if not line.endswith(b"\n"):
                        break  # a writer is in the middle of it, or died there
                    self._offset += len(line)
                    self._take(line)
        except FileNotFoundError:
            self._reset()

    def _take(self, raw: bytes) -> None:
        self._lines += 1
        text = raw.decode("utf-8", errors="surrogateescape")
        text = text.removeprefix("\ufeff").strip()
        if not text:
            return
        try:
            checks.storable(text, "line")
            line = jsonlines.loads(text)
            if "kind" not in line:  # else our header, or the manifest of an export
                item = MemoryItem.from_dict(line)
                self._index.put(item if item.memory_id else _with_id(item, text))
        except InvalidItem as error:
            bad = BadLine(self._lines, error.code, error.message, error.field)
            self._bad.append((bad, raw.decode("utf-8", errors="replace").strip()))

    def _append_pending(self) -> int:
        """Write what waits and return how many lines that were."""
        if not self._pending:
            return 0
        data = _lines_of(self._pending)
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND
        with os.fdopen(os.open(self._path, flags, 0o600), "r+b") as file:
            size = os.fstat(file.fileno()).st_size
            if size == 0:
                data = _header() + data
            elif _is_cut(file, size):
                data = b"\n" + data
            file.seek(0, os.SEEK_END)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        written, self._pending = len(self._pending), []
        return written

    def _rewrite(self) -> None:
        self._quarantine()
        beside = self._path.with_name(self._path.name + ".new")
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        header = _header()
        with os.fdopen(descriptor, "wb") as file:
            file.write(header)
            file.write(_lines_of(self._index.by_id.values()))
            file.flush()
            os.fsync(descriptor)
            size = os.fstat(descriptor).st_size
        beside.replace(self._path)
        _sync_folder(self._path.parent)
        self._pending = []
        self._lines = len(self._index) + 1
        self._offset, self._first = size, header

    def _quarantine(self) -> None:
        if not self._bad:
            return
        path = self._path.with_name(self._path.name + ".quarantine")
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            for bad, text in self._bad:
                line = {"line": bad.line, "code": bad.code, "message": bad.message}
                file.write(jsonlines.dumps({**line, "raw": text}) + "\n")
        self._bad = []


def _with_id(item: MemoryItem, text: str) -> MemoryItem:
    """Give a line that a person wrote without an id one that stays the same."""
    made = uuid.uuid5(uuid.NAMESPACE_OID, text)
    return dataclasses.replace(item, memory_id=str(made))


def _header() -> bytes:
    """Return a first line that no other state of the file has."""
    header = {"kind": "mneme.file", "schema_version": SCHEMA_VERSION}
    return jsonlines.dumps({**header, "state": uuid.uuid4().hex}).encode() + b"\n"


def _lines_of(items: Iterable[MemoryItem]) -> bytes:
    return b"".join(jsonlines.dumps(item.to_dict()).encode() + b"\n" for item in items)


def _is_cut(file: BinaryIO, size: int) -> bool:
    """Say whether the last line lacks its end: its writer died, nobody was told."""
    if size == 0:
        return False
    file.seek(size - 1)
    return file.read(1) != b"\n"


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
