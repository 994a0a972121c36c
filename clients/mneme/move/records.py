"""One entry of a dump, however its file was written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mneme import jsonlines
from mneme.errors import InvalidItem

DUPLICATE = "\0duplicate"  # marks an object in which a key stands twice
MAX_RAW = 2_000  # characters of a bad record that the quarantine shows
LONGEST = 4_000_000  # characters of one record; of a file no more is held at once


@dataclass(frozen=True)
class Record:
    """One entry of a dump: its line (or its number in a list) and its value.

    Where it could not be read, `value` is None and `error` says why.
    """

    line: int
    value: Mapping[str, Any] | None
    raw: str
    error: InvalidItem | None = None


def record_of(line: int, value: Any, raw: str) -> Record:
    """Return the record of a value that was read."""
    if not isinstance(value, Mapping):
        error = InvalidItem("not_an_object", "line", "is not an object")
        return Record(line, None, raw[:MAX_RAW], error)
    if jsonlines.is_too_deep(value):
        return Record(line, None, raw[:MAX_RAW], jsonlines.too_deep())
    if _has_duplicate(value):
        error = InvalidItem("duplicate_key", "line", "a key stands twice in an object")
        return Record(line, None, raw[:MAX_RAW], error)
    return Record(line, value, raw[:MAX_RAW])


def bad_record(line: int, raw: str, error: InvalidItem) -> Record:
    """Return the record of what could not be read."""
    return Record(line, None, raw[:MAX_RAW], error)


def not_json() -> InvalidItem:
    """Return why a text is no JSON, as far as one can tell."""
    return InvalidItem("not_json", "line", "cannot be read; perhaps it is cut off")


def too_long(field: str = "line") -> InvalidItem:
    """Return why a record is not read to its end."""
    return InvalidItem("too_long", field, f"has more than {LONGEST} characters")


def _has_duplicate(value: Any) -> bool:
    if isinstance(value, Mapping):
        return DUPLICATE in value or any(map(_has_duplicate, value.values()))
    return isinstance(value, list) and any(map(_has_duplicate, value))
