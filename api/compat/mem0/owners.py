"""Whose memories a filter means: a memory has one owner, so every way to match must
name one."""

from api.compat.mem0.entities import ENTITIES, owner_id_of
from api.compat.mem0.filters import (
    ANY_VALUE,
    MOST_CONDITIONS,
    Condition,
    Tree,
    refusal,
)
from memory_core.exceptions import MnemeError

MOST_OWNERS = 20

Case = dict[str, frozenset[str]]


class OwnerNeeded(MnemeError):
    """Nothing says whose memories are meant."""

    code, status = "owner_needed", 422
    title = (
        "Name a user_id, agent_id, app_id or run_id in each way to match:"
        " memories are kept by owner"
    )


def owners(tree: Tree) -> list[str]:
    """Return the owners of whom a memory can match; raises OwnerNeeded."""
    found: dict[str, None] = {}
    for case in _cases(tree):
        entity = next((name for name in ENTITIES if name in case), None)
        if entity is None:
            raise OwnerNeeded()
        found |= {owner_id_of(entity, value): None for value in sorted(case[entity])}
    if len(found) > MOST_OWNERS:
        raise refusal(f"At most {MOST_OWNERS} owners can be asked at once.")
    return list(found)


def _cases(tree: Tree) -> list[Case]:
    """Return the ways in which a tree can hold: by entity the values that each needs.

    An entity with no value left cannot be had: that case is dropped.
    """
    if isinstance(tree, Condition):
        return [_needed(tree)]
    if tree.how == "NOT":
        return [{}]
    if tree.how == "OR":
        return [case for part in tree.parts for case in _cases(part)]
    cases: list[Case] = [{}]
    for part in tree.parts:
        inner = _cases(part)
        joined = (_both(one, other) for one in cases for other in inner)
        cases = [case for case in joined if case is not None]
        if len(cases) > MOST_CONDITIONS:
            raise refusal("The filter can be met in too many ways; ask for less.")
    return cases


def _needed(condition: Condition) -> Case:
    name, value = condition.path[0], condition.value
    if name not in ENTITIES or condition.operator not in ("eq", "in"):
        return {}
    if value == ANY_VALUE:
        return {}
    return {name: frozenset(value if isinstance(value, list) else [value])}


def _both(one: Case, other: Case) -> Case | None:
    shared = {name: one[name] & other[name] for name in one.keys() & other.keys()}
    return {**one, **other, **shared} if all(shared.values()) else None
