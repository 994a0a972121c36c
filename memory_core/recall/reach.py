"""Which rows a search may find, as SQL conditions."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson

from memory_core.contracts.callers import Scope
from memory_core.contracts.categories import Tried
from memory_core.contracts.enums import Status
from memory_core.contracts.recall import NOTHING_NARROWED, Narrowing

CURRENT: tuple[Status, ...] = (Status.ACTIVE,)
WITH_ARCHIVED: tuple[Status, ...] = (Status.ACTIVE, Status.ARCHIVED)
ONCE_CURRENT: tuple[Status, ...] = (
    Status.ACTIVE,
    Status.SUPERSEDED,
    Status.ARCHIVED,
    Status.EXPIRED,
)


@dataclass(frozen=True, slots=True)
class Condition:
    """A piece of a WHERE clause with its values."""

    text: str = "true"
    values: tuple[Any, ...] = ()

    def __and__(self, other: "Condition") -> "Condition":
        return Condition(f"{self.text} AND {other.text}", self.values + other.values)


@dataclass(frozen=True, slots=True)
class Reach:
    """Owner and namespaces, states, the moment of an `as_of`, filters, half-lives."""

    scope: Scope
    statuses: tuple[Status, ...] = CURRENT
    moment: datetime | None = None
    narrowing: Narrowing = NOTHING_NARROWED
    tried: Tried | None = None

    def of(self, alias: str) -> Condition:
        """Return owner, namespaces and states of an index row called `alias`."""
        return Condition(
            f"{alias}.owner_id = %s AND {alias}.namespace_id = ANY(%s::bigint[])"
            f" AND {alias}.status = ANY(%s::smallint[])",
            (
                self.scope.owner,
                list(self.scope.namespaces),
                [int(status) for status in self.statuses],
            ),
        )

    def at_moment(self, alias: str) -> Condition:
        """Return what was known and not yet replaced at the moment, if there is one."""
        if self.moment is None:
            return Condition()
        return Condition(
            f"{alias}.observed_at <= %s"
            f" AND ({alias}.until IS NULL OR {alias}.until > %s)",
            (self.moment, self.moment),
        )

    def of_memory(self) -> Condition:
        """Return the filters, over a memory `m`, its source `s` and category `c`."""
        n = self.narrowing
        parts = [
            _one_of("c.name", n.categories),
            _one_of("s.kind", n.source_kinds),
            _one_of("m.tier", n.tiers),
            _one_of("m.session_id", n.sessions),
        ]
        if n.tags:
            parts.append(Condition("m.tags @> %s::varchar[]", (list(n.tags),)))
        if n.metadata:
            wanted = orjson.dumps(dict(n.metadata)).decode()
            parts.append(Condition("m.metadata @> %s::jsonb", (wanted,)))
        if n.occurred_after:
            parts.append(Condition("m.occurred_at >= %s", (n.occurred_after,)))
        if n.occurred_before:
            parts.append(Condition("m.occurred_at <= %s", (n.occurred_before,)))
        if n.among:
            parts.append(Condition("m.id = ANY(%s::uuid[])", (list(n.among),)))
        whole = Condition()
        for part in parts:
            whole &= part
        return whole


JOIN_MEMORY = (
    " JOIN memory_core_memory m ON m.id = {alias}.memory_id"
    " JOIN memory_core_source s ON s.id = m.source_id"
    " JOIN memory_core_category c ON c.id = m.category_id"
)


def _one_of(column: str, allowed: Sequence[str]) -> Condition:
    if not allowed:
        return Condition()
    return Condition(f"{column} = ANY(%s::varchar[])", (list(allowed),))
