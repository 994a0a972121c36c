"""JSON lines as the portable format allows them: strict, each key once, not deep."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from mneme.errors import InvalidItem

DEEPEST = 64  # levels of objects and lists; the format itself has fewer than a dozen


def loads(text: str) -> dict[str, Any]:
    """Return the object of one line; `InvalidItem` says what is wrong with it."""
    try:
        value = json.loads(
            text, parse_constant=_refuse_constant, object_pairs_hook=_refuse_duplicates
        )
    except InvalidItem:
        raise
    except (ValueError, RecursionError) as error:
        raise InvalidItem("not_json", "line", "not a JSON object") from error
    if not isinstance(value, dict):
        raise InvalidItem("not_an_object", "line", "not a JSON object")
    if is_too_deep(value):
        raise too_deep()
    return value


def is_too_deep(value: Any) -> bool:
    """Say whether a value has more levels than is safe to walk."""
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [inner for one in level for inner in _inside(one)]
    return bool(level)


def too_deep() -> InvalidItem:
    """Return why a value that was read is not taken."""
    return InvalidItem("not_json", "line", f"has more than {DEEPEST} levels")


def dumps(value: dict[str, Any], *, ascii_only: bool = False) -> str:
    """Return one compact line without its line end; NaN is an error."""
    return json.dumps(
        value, ensure_ascii=ascii_only, allow_nan=False, separators=(",", ":")
    )


def _inside(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _refuse_constant(name: str) -> float:
    raise InvalidItem("not_json", "line", f"{name} is not JSON")


def _refuse_duplicates(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise InvalidItem("not_json", "line", f"the key {key!r} stands twice")
        result[key] = value
    return result
