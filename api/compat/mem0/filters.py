"""mem0's filter grammar as a tree of conditions.

`{"AND" | "OR" | "NOT": [...]}`, or an object whose entries must all hold. An entry is
a field with a value, a list of values, `"*"` for any value, or `{operator: value}`. A
field that is none of the known ones is one of the metadata.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from api.compat.mem0.comparing import OPERATORS
from api.compat.mem0.dates import span_of
from api.compat.mem0.entities import ENTITIES
from memory_core.exceptions import InvalidInput

MOST_CONDITIONS = 64
MOST_VALUES = 1000
"""Each memory that is looked through is compared with all of them."""
DEEPEST = 8
ANY_VALUE = "*"
JOINS = {"AND", "OR", "NOT"}
TIMES = frozenset({"created_at", "updated_at", "timestamp", "expiration_date"})
TEXTS = {"keywords": "memory", "text": "memory", "memory_id": "id", "memory_ids": "id"}
KNOWN = {*ENTITIES, *TIMES, *TEXTS, "categories", "memory", "id", "metadata"}


@dataclass(frozen=True, slots=True)
class Condition:
    """One field compared with one value; `path` leads into the metadata."""

    path: tuple[str, ...]
    operator: str
    value: Any


@dataclass(frozen=True, slots=True)
class Joined:
    """Parts that must all (AND), some (OR) or none (NOT) hold."""

    how: str
    parts: "tuple[Condition | Joined, ...]"


Tree = Condition | Joined


def read(sent: Mapping[str, Any]) -> Joined:
    """Return the tree of a filter; raises InvalidInput."""
    if _size(sent) > MOST_VALUES:
        raise refusal(f"At most {MOST_VALUES:,} values can be compared with.")
    tree = _object(sent, depth=1)
    if sum(1 for _ in conditions(tree)) > MOST_CONDITIONS:
        raise refusal(f"At most {MOST_CONDITIONS} conditions can be combined.")
    return tree


def conditions(tree: Tree) -> Iterable[Condition]:
    """Yield every condition of a tree."""
    if isinstance(tree, Condition):
        yield tree
    else:
        for part in tree.parts:
            yield from conditions(part)


def _size(sent: Any) -> int:
    """Return the number of values at all depths, which the parser has bounded."""
    if isinstance(sent, Mapping):
        return sum(1 + _size(one) for one in sent.values())
    if isinstance(sent, list):
        return sum(1 + _size(one) for one in sent)
    return 0


def _object(sent: Any, *, depth: int) -> Joined:
    if not isinstance(sent, Mapping) or depth > DEEPEST:
        raise refusal("Filters are objects, at most 8 levels deep.")
    parts: list[Tree] = []
    for name, value in sent.items():
        if not isinstance(name, str):
            raise refusal("The names of fields are texts.")
        how = name.removeprefix("$").upper()
        if how in JOINS:
            parts.append(_joined(how, value, depth=depth))
        else:
            parts += _entry(name, value)
    return Joined("AND", tuple(parts))


def _joined(how: str, value: Any, *, depth: int) -> Joined:
    inner = value if isinstance(value, list) else [value]
    return Joined(how, tuple(_object(one, depth=depth + 1) for one in inner))


def _entry(name: str, value: Any) -> Iterable[Condition]:
    if name == "metadata":
        if not isinstance(value, Mapping):
            raise refusal("metadata is compared with an object.")
        for key, one in value.items():
            yield from _compared(("metadata", str(key)), one)
    elif name in KNOWN:
        yield from _compared((TEXTS.get(name, name),), value)
    else:
        yield from _compared(("metadata", name), value)


def _compared(path: tuple[str, ...], value: Any) -> Iterable[Condition]:
    if isinstance(value, Mapping) and value and set(value) <= OPERATORS.keys():
        for operator, one in value.items():
            yield _condition(path, operator, one)
    elif isinstance(value, list):
        yield _condition(path, "in", value)
    else:
        yield _condition(path, "eq", value)


def _condition(path: tuple[str, ...], operator: str, value: Any) -> Condition:
    name = path[0]
    if operator in ("in", "nin") and not isinstance(value, list):
        raise refusal(f"{operator} compares with a list.")
    if name in ENTITIES and operator in ("eq", "in"):
        many = value if isinstance(value, list) else [value]
        if not all(isinstance(one, str) and one for one in many):
            raise refusal(f"{name} is compared with texts.")
    if name in TIMES and value != ANY_VALUE:
        many = value if isinstance(value, list) else [value]
        if len(many) > MOST_CONDITIONS:
            raise refusal(f"At most {MOST_CONDITIONS} times can be compared with.")
        if not all(span_of(one) for one in many):
            raise refusal(f"{name} is compared with a day or a time with its offset.")
    return Condition(path, operator, value)


def refusal(detail: str) -> InvalidInput:
    """Return the error for a filter that cannot be read."""
    return InvalidInput(detail, field="filters")
