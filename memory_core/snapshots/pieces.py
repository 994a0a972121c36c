"""Lines of a file as they are read, before anybody knows whether they are memories.

A file of another system is mapped first. Its mapped file has a line for each record:
the memory that was made of it, or why none could be, with the record's own line.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from memory_core.keys.data import KeyDestroyed, NotSealed
from memory_core.snapshots import sealing
from memory_core.snapshots.lines import LONGEST_LINE, BadLine, load

BOM = b"\xef\xbb\xbf"

Value = dict[str, Any] | BadLine


@dataclass(frozen=True, slots=True)
class Piece:
    """One line: where a person finds it, its bytes, its value; None if it is empty."""

    line: int
    raw: bytes
    value: Value | None


Reader = Callable[[int, bytes], Piece]
"""Gives the piece of a line by its number from 1 and its bytes."""


def plain_piece(number: int, raw: bytes) -> Piece:
    """Return a line of the portable format."""
    plain = raw.removeprefix(BOM).strip() if number == 1 else raw.strip()
    return Piece(number, raw, _loaded(raw, plain) if plain else None)


def kept_piece(number: int, raw: bytes) -> Piece:
    """Return a line of a file that was kept here; opened if it is sealed."""
    try:
        return plain_piece(number, sealing.plain(raw))
    except (KeyDestroyed, NotSealed):
        return Piece(number, b"", BadLine("sealed", "the key of this line is gone"))


def mapped_piece(number: int, raw: bytes) -> Piece:
    """Return what a line of a mapped file says."""
    kept = json.loads(raw)
    shown = kept.get("raw", "").encode()
    if "memory" in kept:
        return Piece(kept["line"], shown, kept["memory"])
    fault = BadLine(kept["code"], kept["message"], kept["field"])
    return Piece(kept["line"], shown, fault)


def mapped_line(line: int, raw: str, memory: dict[str, Any] | BadLine) -> bytes:
    """Return the line of a mapped file for a memory or a fault."""
    kept: dict[str, Any] = {"line": line, "raw": raw}
    if isinstance(memory, BadLine):
        kept |= {"code": memory.code, "message": memory.message, "field": memory.field}
    else:
        kept["memory"] = memory
    return json.dumps(kept, ensure_ascii=True).encode() + b"\n"


def _loaded(raw: bytes, plain: bytes) -> Value:
    if len(raw) > LONGEST_LINE:
        return BadLine("too_long", "the line is too long")
    try:
        return load(plain)
    except BadLine as error:
        return error
