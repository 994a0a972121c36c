"""Whether a memory, as mem0 shows it, is what a filter means."""

from collections.abc import Mapping
from typing import Any

from api.compat.mem0.comparing import OPERATORS
from api.compat.mem0.dates import span_of
from api.compat.mem0.filters import ANY_VALUE, TIMES, Condition, Tree

Record = Mapping[str, Any]


def matches(tree: Tree, record: Record) -> bool:
    """Return whether a memory is meant."""
    if isinstance(tree, Condition):
        return _holds(tree, record)
    held = (matches(part, record) for part in tree.parts)
    if tree.how == "OR":
        return any(held)
    return not any(held) if tree.how == "NOT" else all(held)


def _holds(condition: Condition, record: Record) -> bool:
    found: Any = record
    for name in condition.path:
        found = found.get(name) if isinstance(found, Mapping) else None
    if condition.value == ANY_VALUE and condition.operator == "eq":
        return found is not None
    if condition.path[0] in TIMES:
        return _in_time(condition, found)
    return OPERATORS[condition.operator](found, condition.value)


def _in_time(condition: Condition, found: Any) -> bool:
    """Compare a moment with a day or a moment; a day is all of its moments."""
    span = span_of(found)
    if span is None:
        return condition.operator in ("ne", "nin")
    moment, sent = span[0], condition.value
    spans = map(span_of, sent if isinstance(sent, list) else [sent])
    many = [one for one in spans if one is not None]
    within = any(first <= moment <= last for first, last in many)
    first, last = many[0] if many else span
    held = {
        "gt": moment > last,
        "gte": moment >= first,
        "lt": moment < first,
        "lte": moment <= last,
        "ne": not within,
        "nin": not within,
    }
    return held.get(condition.operator, within)
