"""Nested validation details as one flat list."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

LONGEST_NAME = 100
MOST_ERRORS = 100
WHOLE = "non_field_errors"


def flatten(details: Any) -> list[dict[str, str]]:
    """Return `{field, code, message}` for each of the first 100 errors.

    The names of nested fields are joined by dots.
    """
    return list(islice(_walk(details, ""), MOST_ERRORS))


def _walk(details: Any, path: str) -> Iterator[dict[str, str]]:
    if isinstance(details, Mapping) and _is_error(details):
        yield {
            "field": path[:LONGEST_NAME],
            "code": str(details["code"]),
            "message": str(details["message"]),
        }
    elif isinstance(details, Mapping):
        for name, inner in details.items():
            yield from _walk(inner, path if name == WHOLE else _join(path, str(name)))
    elif isinstance(details, Sequence) and not isinstance(details, str):
        for place, inner in enumerate(details):
            leaf = isinstance(inner, Mapping) and _is_error(inner)
            yield from _walk(inner, path if leaf else _join(path, str(place)))


def _is_error(details: Mapping[Any, Any]) -> bool:
    return details.keys() == {"message", "code"} and isinstance(details["code"], str)


def _join(path: str, name: str) -> str:
    name = name.encode("utf-8", "replace").decode()
    return f"{path}.{name}" if path else name
