"""Legal holds: which are in force, and what of a table they reach."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from memory_core import locks
from memory_core.contracts.erasure import Holds

IN_FORCE = """
SELECT id, owner_id, namespace_id, memory_id FROM memory_core_legalhold
 WHERE released_at IS NULL AND (expires_at IS NULL OR expires_at > %s)
 ORDER BY id {lock}
"""
FAMILY = """
WITH RECURSIVE family AS (
  SELECT unnest(%s::uuid[]) AS id
  UNION
  SELECT m.id FROM memory_core_memory m JOIN family f ON m.merged_into_id = f.id)
SELECT id FROM family ORDER BY id
"""


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns by which a table's rows can be held; empty where it has none."""

    owner: str = "owner_id"
    namespace: str = ""
    memory: str = ""


def in_force(*, now: datetime) -> Holds:
    """Return the holds that stand at this moment."""
    return _read(IN_FORCE.format(lock=""), now)


def settled(*, now: datetime) -> Holds:
    """Return the holds, and let none be placed or changed before we commit."""
    locks.keep_holds()
    return _read(IN_FORCE.format(lock="FOR SHARE"), now)


def condition(columns: Columns, holds: Holds) -> tuple[str, list[Any]]:
    """Return SQL that is true for held rows, and its values."""
    reach = [
        (columns.owner, "bigint", holds.owners),
        (columns.namespace, "bigint", holds.namespaces),
        (columns.memory, "uuid", holds.memories),
    ]
    parts = [f"{column} = ANY(%s::{kind}[])" for column, kind, _ in reach if column]
    values = [list(found) for column, _, found in reach if column]
    return f"coalesce({' OR '.join(parts)}, false)", values


def _read(statement: str, now: datetime) -> Holds:
    with connection.cursor() as cursor:
        cursor.execute(statement, [now])
        rows = cursor.fetchall()
        named = sorted({memory for _, _, _, memory in rows if memory})
        cursor.execute(FAMILY, [named])
        family = tuple(row[0] for row in cursor.fetchall())
    return Holds(
        ids=tuple(row[0] for row in rows),
        owners=tuple(sorted({owner for _, owner, _, _ in rows if owner})),
        namespaces=tuple(sorted({space for _, _, space, _ in rows if space})),
        memories=family,
    )
