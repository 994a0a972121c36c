"""The operators of mem0's filters: pure, false where two values cannot be compared."""

from collections.abc import Callable
from functools import partial
from typing import Any


def _equals(found: Any, value: Any) -> bool:
    """A list, such as the categories, equals each of its entries."""
    return found == value or (isinstance(found, list) and value in found)


def _ordered(compare: Callable[[Any, Any], bool], found: Any, value: Any) -> bool:
    numbers = all(
        isinstance(one, int | float) and not isinstance(one, bool)
        for one in (found, value)
    )
    if numbers or (isinstance(found, str) and isinstance(value, str)):
        return compare(found, value)
    return False


def _contains(found: Any, value: Any, *, fold: bool) -> bool:
    if isinstance(value, list):
        return all(_contains(found, one, fold=fold) for one in value)
    if not isinstance(value, str):
        return isinstance(found, list) and value in found
    wanted = value.casefold() if fold else value
    parts = found if isinstance(found, list) else [found]
    texts = [one.casefold() if fold else one for one in parts if isinstance(one, str)]
    return wanted in (texts if isinstance(found, list) else "\n".join(texts))


OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": _equals,
    "ne": lambda found, value: not _equals(found, value),
    "in": lambda found, value: any(_equals(found, one) for one in value),
    "nin": lambda found, value: not any(_equals(found, one) for one in value),
    "gt": partial(_ordered, lambda a, b: a > b),
    "gte": partial(_ordered, lambda a, b: a >= b),
    "lt": partial(_ordered, lambda a, b: a < b),
    "lte": partial(_ordered, lambda a, b: a <= b),
    "contains": partial(_contains, fold=False),
    "icontains": partial(_contains, fold=True),
}
