"""What a memory's fields may hold. Every check raises `InvalidItem`."""

from __future__ import annotations

import copy
import json
import math
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mneme.errors import InvalidItem
from mneme.times import parse_time

TYPES = (
    "profile",
    "fact",
    "preference",
    "event",
    "task",
    "skill",
    "constraint",
    "temporary",
)
SOURCE_KINDS = ("user_input", "inference", "tool_result", "import")
TIERS = ("long", "permanent")
STATUSES = ("active", "pending", "rejected", "superseded", "archived", "expired")

MAX_CONTENT = 8_000  # characters after NFC
MAX_SHORT = 200  # ids and names
MAX_TAG = 100  # tags and namespaces
MAX_DEPTH = 8  # levels of metadata
MAX_METADATA = 16 * 1024  # bytes as JSON
MAX_MANY = {"entities": 100, "tags": 50, "related": 50}


def checked_fields(item: Any) -> dict[str, Any]:
    """Return every field of the item in its normal form."""
    checked = {
        name: check(getattr(item, name), name) for name, check in _CHECKS.items()
    }
    if not item.owner_id:
        raise InvalidItem("missing_field", "owner_id", "is required")
    if not hasattr(item.source, "kind"):
        raise InvalidItem("wrong_type", "source", "is not a Source")
    return checked


def one_of(value: object, allowed: tuple[str, ...], field: str) -> str:
    """Return the value if it is one of the allowed words."""
    if not isinstance(value, str) or value not in allowed:
        raise InvalidItem("out_of_range", field, f"is not one of {', '.join(allowed)}")
    return value


def short_text(value: object, field: str, most: int = MAX_SHORT) -> str:
    """Return an id or a name of at most `most` storable characters, in NFC."""
    text = unicodedata.normalize("NFC", storable(value, field))
    if len(text) > most:
        raise InvalidItem("too_long", field, f"has more than {most} characters")
    return text


def storable(value: object, field: str) -> str:
    """Return the text if every store can hold it: no NUL, no lone surrogate."""
    if not isinstance(value, str):
        raise InvalidItem("wrong_type", field, "is not a text")
    if value.isascii() and "\0" not in value:
        return value
    if "\0" in value:
        raise InvalidItem("unstorable_text", field, "has a NUL character")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InvalidItem("unstorable_text", field, "has a lone surrogate") from error
    return value


def content(value: object, field: str) -> str:
    """Return the statement in NFC, 1 to 8,000 characters."""
    text = unicodedata.normalize("NFC", storable(value, field))
    if not text.strip():
        raise InvalidItem("missing_field", field, "is empty")
    if len(text) > MAX_CONTENT:
        raise InvalidItem("too_long", field, f"has more than {MAX_CONTENT} characters")
    return text


def json_value(value: Any, field: str, depth: int = 0) -> None:
    """Pass what JSON can say, with storable texts and finite numbers."""
    if depth > MAX_DEPTH:
        raise InvalidItem("out_of_range", field, "is nested too deeply")
    if isinstance(value, str):
        storable(value, field)
    elif isinstance(value, Mapping):
        for key, part in value.items():
            storable(key, field)
            json_value(part, f"{field}.{key}", depth + 1)
    elif isinstance(value, Sequence):
        for part in value:
            json_value(part, field, depth + 1)
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise InvalidItem("out_of_range", field, "is not a finite number")
    elif value is not None and not isinstance(value, (bool, int)):
        raise InvalidItem("wrong_type", field, "is not a JSON value")


def _unit(value: object, field: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InvalidItem("wrong_type", field, "is not a number")
    if not 0 <= value <= 1:
        raise InvalidItem("out_of_range", field, "is not between 0 and 1")
    return float(value)


def _whole(value: object, field: str) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidItem("wrong_type", field, "is not a whole number")
    return value


def _count(value: object, field: str) -> int:
    number = _whole(value, field) or 0
    if number < 0:
        raise InvalidItem("out_of_range", field, "is below 0")
    return number


def _position(value: object, field: str) -> int | None:
    return None if value is None else _count(value, field)


def _namespace(value: object, field: str) -> str:
    return short_text(value, field, MAX_TAG)


def _time(value: object, field: str) -> Any:
    return None if value is None else parse_time(value, field)


def _texts(value: object, field: str) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise InvalidItem("wrong_type", field, "is not a list")
    if len(value) > MAX_MANY.get(field, len(value)):
        raise InvalidItem("too_long", field, f"has more than {MAX_MANY[field]} entries")
    most = MAX_TAG if field == "tags" else MAX_SHORT
    return tuple(short_text(part, field, most) for part in value)


def _numbers(value: object, field: str) -> tuple[float, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise InvalidItem("wrong_type", field, "is not a list")
    json_value(value, field)
    if any(isinstance(n, bool) or not isinstance(n, (int, float)) for n in value):
        raise InvalidItem("wrong_type", field, "is not a list of numbers")
    return tuple(float(number) for number in value)


def _mapping(value: object, field: str) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidItem("wrong_type", field, "is not an object")
    if not value:
        return {}
    json_value(value, field)
    if field == "metadata" and len(_as_json(value)) > MAX_METADATA:
        raise InvalidItem("too_long", field, f"has more than {MAX_METADATA} bytes")
    return copy.deepcopy(dict(value))


def _as_json(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _mappings(value: object, field: str) -> tuple[dict[str, Any], ...]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise InvalidItem("wrong_type", field, "is not a list")
    return tuple(_mapping(part, field) for part in value)


def _optional_id(value: object, field: str) -> str | None:
    return None if value is None else short_text(value, field)


def _among(allowed: tuple[str, ...]) -> Callable[[object, str], str]:
    return lambda value, field: one_of(value, allowed, field)


_CHECKS: dict[str, Callable[[Any, str], Any]] = {
    "owner_id": short_text,
    "content": content,
    "type": _among(TYPES),
    "tier": _among(TIERS),
    "status": _among(STATUSES),
    "memory_id": _optional_id,
    "merged_into": _optional_id,
    "access_count": _count,
    "position": _position,
    "versions": _mappings,
    "metadata": _mapping,
    "embedding": _numbers,
    "namespace": _namespace,
    **dict.fromkeys(("subject", "session_id", "external_id"), short_text),
    **dict.fromkeys(("base_score", "importance", "confidence"), _unit),
    **dict.fromkeys(("timestamp", "occurred_at", "created_at"), _time),
    **dict.fromkeys(("last_accessed_at", "expire_at"), _time),
    **dict.fromkeys(("entities", "tags", "related", "supersedes"), _texts),
    "embedding_model": short_text,
}
