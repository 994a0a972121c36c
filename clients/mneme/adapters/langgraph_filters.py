"""The filter language of a LangGraph search. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda have, want: bool(have == want),
    "$ne": lambda have, want: bool(have != want),
    "$gt": lambda have, want: _ordered(have, want, lambda a, b: bool(a > b)),
    "$gte": lambda have, want: _ordered(have, want, lambda a, b: bool(a >= b)),
    "$lt": lambda have, want: _ordered(have, want, lambda a, b: bool(a < b)),
    "$lte": lambda have, want: _ordered(have, want, lambda a, b: bool(a <= b)),
}


def meets(value: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Say whether the value meets every condition; an unknown operator is an error."""
    return all(_meets_one(value.get(key), want) for key, want in wanted.items())


def _meets_one(have: Any, want: Any) -> bool:
    if isinstance(want, Mapping):
        if any(key.startswith("$") for key in want):
            return all(_operate(have, name, part) for name, part in want.items())
        return isinstance(have, Mapping) and meets(have, want)
    if isinstance(want, (list, tuple)):
        return (
            isinstance(have, (list, tuple))
            and len(have) == len(want)
            and all(_meets_one(h, w) for h, w in zip(have, want, strict=True))
        )
    return bool(have == want)


def _operate(have: Any, name: str, want: Any) -> bool:
    if name not in _OPERATORS:
        raise ValueError(f"Unsupported operator: {name}")
    return _OPERATORS[name](have, want)


def _ordered(have: Any, want: Any, compare: Callable[[Any, Any], bool]) -> bool:
    """Compare numbers as numbers and texts as texts; anything else never matches."""
    numbers = (int, float)
    if isinstance(have, numbers) and isinstance(want, numbers):
        return compare(have, want)
    if isinstance(have, str) and isinstance(want, str):
        return compare(have, want)
    return False
