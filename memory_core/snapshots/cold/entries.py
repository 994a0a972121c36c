"""One memory in the cold copy: its line of the portable format and its state, sealed.

The state has the columns for which the format has no field, so that a replay gives
back what was there, and not what an import would make of it. Both are encrypted with
the owner's key: only the id can be read without it.
"""

import base64
import json
from collections.abc import Mapping
from typing import IO, Any
from uuid import UUID

from memory_core.keys import data as keys
from memory_core.snapshots.lines import SCHEMA_VERSION, BadLine, dump, load

Values = dict[str, Any]
Position = tuple[int, int]
"""Offset and size in bytes."""

FILE = "mneme.cold"
ENTRY = "mneme.sealed"
IN_RECORD = (
    *("id", "namespace_id", "owner_id", "source_id", "agent_id", "category_id"),
    *("tier", "status", "content", "content_digest", "text_key", "subject"),
    *("entities", "tags", "metadata", "importance", "confidence", "session_id"),
    *("position", "observed_at", "occurred_at", "expire_at", "external_id"),
    *("related", "merged_into_id", "created_at", "embedding"),
)
"""Columns that a record tells, or that are made anew; all others are the state."""
INSTALLATION = "cold copy"
"""Name of the key that hides whose file it is."""


def front(owner_id: str, size: int) -> bytes:
    """Return the first line of an owner's file; `size` is that of its entries now."""
    sealed = keys.seal(INSTALLATION, owner_id.encode())
    return _line(
        kind=FILE, schema_version=SCHEMA_VERSION, owner=_text(sealed), bytes=size
    )


def owner_of(file: IO[bytes]) -> str:
    """Return whose file it is; raises BadLine, KeyDestroyed and NotSealed."""
    file.seek(0)
    sealed = _bytes(load(file.readline()).get("owner"))
    return keys.unseal(INSTALLATION, sealed).decode()


def size_when_new(file: IO[bytes]) -> int:
    """Return the bytes of the entries when the file was written anew."""
    file.seek(0)
    size = load(file.readline()).get("bytes")
    return size if isinstance(size, int) else 0


def written(owner_id: str, state: Values, record: Mapping[str, Any]) -> bytes:
    """Return the line of a memory; raises KeyDestroyed for an erased owner."""
    plain = json.dumps(state, separators=(",", ":")).encode() + b"\n" + dump(record)
    sealed = keys.seal(keys.of_owner(owner_id), plain)
    return _line(kind=ENTRY, memory_id=record["memory_id"], data=_text(sealed))


def opened(owner_id: str, line: bytes) -> tuple[Values, Values]:
    """Return state and record of a line; raises BadLine, KeyDestroyed and NotSealed."""
    sealed = _bytes(load(line).get("data"))
    state, record = keys.unseal(keys.of_owner(owner_id), sealed).splitlines()
    return load(state), load(record)


def places(file: IO[bytes]) -> dict[UUID, Position]:
    """Return where each memory's last entry is; a line that was cut off is none."""
    found: dict[UUID, Position] = {}
    offset = 0
    file.seek(0)
    for line in file:
        if identity := _identity(line):
            found[identity] = (offset, len(line))
        offset += len(line)
    return found


def read_at(file: IO[bytes], place: Position) -> bytes:
    """Return the line at a place."""
    file.seek(place[0])
    return file.read(place[1])


def _identity(line: bytes) -> UUID | None:
    try:
        value = load(line)
        return UUID(value["memory_id"]) if value.get("kind") == ENTRY else None
    except (BadLine, KeyError, ValueError):
        return None


def _line(**values: Any) -> bytes:
    return json.dumps(values, separators=(",", ":")).encode() + b"\n"


def _text(sealed: bytes) -> str:
    return base64.b64encode(sealed).decode()


def _bytes(text: object) -> bytes:
    try:
        return base64.b64decode(str(text), validate=True)
    except ValueError:
        raise BadLine("not_sealed", "no sealed data") from None
