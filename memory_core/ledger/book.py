"""The file: one line an identifier, only ever appended to, each line bound to the last.

A line has digests, key ids, references and times; no name. Its hash is SHA-256 over a
domain tag, the hash before, and the line without its hash in RFC 8785 form.
"""

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, BinaryIO

import rfc8785
from django.conf import settings

from memory_core.keys import canonical
from memory_core.keys.tombstones import Digest

NAME = "erasures.jsonl"
DOMAIN = b"mneme-erasure-ledger-v1\x00"
GENESIS = hashlib.sha256(DOMAIN + b"genesis").hexdigest()


class LedgerBroken(Exception):
    """A line was changed, removed or added by other hands; `position` names it."""

    def __init__(self, position: int) -> None:
        super().__init__(f"the erasure ledger does not hold at line {position}")
        self.position = position


class Event(StrEnum):
    """What a line says of an identifier; the last one holds.

    `void`: the erasure was noted and then not begun.
    """

    ERASE = "erase"
    LIFT = "lift"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line. `digest` is hex, `canonical` the version of the rules it is made by."""

    position: int
    event: Event
    kind: str
    digest: str
    kid: str
    canonical: int
    request: str
    at: str
    previous: str
    hash: str


@dataclass(frozen=True, slots=True)
class Head:
    """The last line: its position, 0 for an empty ledger, and its hash."""

    position: int = 0
    hash: str = GENESIS


def append(
    event: Event, digests: Sequence[Digest], *, request: str, now: datetime
) -> Head:
    """Note what happens to these identifiers and return the new head.

    It is on the disk when this returns: call it before the database commits. Raises
    OSError if it cannot be written, LedgerBroken if the last line does not hold.
    """
    path = _path()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        _cut_torn_line(file)
        last = _last(file)
        file.seek(0, os.SEEK_END)
        for digest in digests:
            line = {
                "position": last.position + 1,
                "event": event.value,
                "kind": digest.kind,
                "digest": digest.digest.hex(),
                "kid": digest.kid,
                "canonical": canonical.VERSION,
                "request": request,
                "at": now.isoformat(),
                "previous": last.hash,
            }
            last = Head(last.position + 1, _hash(line))
            file.write(json.dumps({**line, "hash": last.hash}).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
    return last


def entries() -> Iterator[Entry]:
    """Yield all lines in order; LedgerBroken at the first that does not hold."""
    try:
        file = _path().open("rb")
    except FileNotFoundError:
        return
    last = Head()
    with file:
        for raw in file:
            if not raw.endswith(b"\n"):
                return  # a crash while it was written: nothing was begun
            entry = _parsed(raw, last.position + 1)
            if entry.position != last.position + 1 or entry.previous != last.hash:
                raise LedgerBroken(last.position + 1)
            last = Head(entry.position, entry.hash)
            yield entry


def head() -> Head:
    """Return the last line's position and hash; LedgerBroken if a line fails."""
    last = Head()
    for entry in entries():
        last = Head(entry.position, entry.hash)
    return last


def latest() -> list[Entry]:
    """Return the last line of each identifier, in the order of these lines."""
    last = {(entry.kind, entry.digest): entry for entry in entries()}
    return sorted(last.values(), key=lambda entry: entry.position)


def standing() -> list[Entry]:
    """Return the erasures that hold: neither lifted nor void since."""
    return [entry for entry in latest() if entry.event is Event.ERASE]


def _parsed(raw: bytes, position: int) -> Entry:
    try:
        line: dict[str, Any] = json.loads(raw)
        entry = Entry(**{**line, "event": Event(line["event"])})
    except (ValueError, TypeError, KeyError):
        raise LedgerBroken(position) from None
    plain = {name: value for name, value in asdict(entry).items() if name != "hash"}
    if _hash(plain) != entry.hash:
        raise LedgerBroken(position)
    return entry


def _hash(line: dict[str, Any]) -> str:
    return hashlib.sha256(DOMAIN + rfc8785.dumps(line)).hexdigest()


def _cut_torn_line(file: BinaryIO) -> None:
    """Remove what a crash left half written; whoever wrote it has not gone on."""
    whole = _tail(file).rpartition(b"\n")[2]
    if whole:
        file.truncate(file.seek(0, os.SEEK_END) - len(whole))


def _last(file: BinaryIO) -> Head:
    lines = _tail(file).splitlines()
    if not lines:
        return Head()
    entry = _parsed(lines[-1], 0)
    return Head(entry.position, entry.hash)


def _tail(file: BinaryIO) -> bytes:
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - 64 * 1024))
    return file.read()


def _path() -> Path:
    return Path(settings.LEDGER_DIR) / NAME
