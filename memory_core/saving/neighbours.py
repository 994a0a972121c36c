"""The memories of one owner with which a new statement has to be compared."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memory_core.contracts.enums import Status
from memory_core.contracts.relation import Statement, Vector
from memory_core.prepared import fetch
from memory_core.saving.lookups import mergeable
from memory_core.saving.vectors import as_text, from_bytes

NEAREST = 20

# A subject that nobody sent says where it was said, which parts no statements.
COLUMNS = """
m.id, m.content, CASE WHEN m.subject_is_assumed THEN '' ELSE m.subject END,
m.status, m.tier, m.lineage_trust, m.observed_at, m.until,
m.occurred_at, m.confirmed_at, m.expire_at, m.session_id, m.source_id
"""
EQUAL = f"""
SELECT {COLUMNS}, m.merged_into_id FROM memory_core_memory m
 WHERE m.owner_id = %s AND m.namespace_id = %s AND m.text_key = %s ORDER BY m.id
"""
SURVIVORS = f"""
WITH RECURSIVE chain AS (
  SELECT id, merged_into_id FROM memory_core_memory WHERE id = ANY(%s::uuid[])
  UNION
  SELECT m.id, m.merged_into_id
    FROM memory_core_memory m JOIN chain ON m.id = chain.merged_into_id)
SELECT {COLUMNS} FROM memory_core_memory m JOIN chain ON chain.id = m.id
 WHERE m.merged_into_id IS NULL ORDER BY m.id
"""
# By the index of an owner's latest: a source may have written for everybody.
BEFORE = """
SELECT content FROM (
  SELECT content, source_id, status FROM memory_core_memory
   WHERE owner_id = %s AND namespace_id = %s ORDER BY id DESC LIMIT 8) latest
 WHERE source_id = %s AND status IN (1, 2) LIMIT 1
"""
# Current at the statement's own moment or later: history may arrive in any order.
NEAR = f"""
SELECT {COLUMNS}, halfvec_send(near.vector)
  FROM (SELECT v.memory_id, v.vector FROM memory_core_memoryvector v
         WHERE v.owner_id = %s AND v.model_id = %s AND v.namespace_id = %s
           AND v.category_id = ANY(%s::smallint[])
           AND (v.status = 1 OR v.status = 4 AND v.until > %s)
         ORDER BY v.vector <=> %s::halfvec LIMIT %s) near
  JOIN memory_core_memory m ON m.id = near.memory_id
 WHERE m.merged_into_id IS NULL AND (m.expire_at IS NULL OR m.expire_at > %s)
"""


@dataclass(frozen=True, slots=True)
class Known:
    """A stored statement, as far as a decision needs it; `subject` as it was sent."""

    id: UUID
    content: str
    subject: str
    status: Status
    tier: str
    rank: int
    observed_at: datetime
    until: datetime | None
    occurred_at: datetime | None
    confirmed_at: datetime | None
    expire_at: datetime | None
    session_id: str
    source_id: int
    vector: Vector | None = None

    def statement(self) -> Statement:
        """Return it as the judge of relations sees it."""
        return Statement(self.content, self.subject, self.observed_at, self.vector)

    def is_over(self, moment: datetime) -> bool:
        """Return whether its deadline had passed at that moment."""
        return self.expire_at is not None and self.expire_at <= moment

    @property
    def last_said_at(self) -> datetime:
        """When it was said for the last time."""
        return max(self.observed_at, self.confirmed_at or self.observed_at)


def same_text(*, owner: int, namespace: int, text_key: bytes) -> list[Known]:
    """Return the memories that say the same but for case, width and punctuation.

    A wording that was merged stands for its survivor.
    """
    rows = fetch(EQUAL, [owner, namespace, text_key])
    found = [_known(row[:-1]) for row in rows if row[-1] is None]
    if merged := [row[-1] for row in rows if row[-1] is not None]:
        found += [_known(row) for row in fetch(SURVIVORS, [merged])]
    return found


def said_before(*, owner: int, namespace: int, source: int) -> str:
    """Return what a source wrote last among the owner's latest memories, or ""."""
    rows = fetch(BEFORE, [owner, namespace, source]) if owner and source else []
    return str(rows[0][0]) if rows else ""


def nearest(
    vector: Vector,
    *,
    owner: int,
    namespace: int,
    model_id: int,
    observed_at: datetime,
    but: UUID | None = None,
) -> list[Known]:
    """Return the nearest memories that may merge with or be replaced by a statement.

    Not `but`, which is the statement itself.
    """
    values = [owner, model_id, namespace, mergeable(), observed_at]
    rows = fetch(NEAR, [*values, as_text(vector), NEAREST, observed_at])
    return [
        _known(row[:-1], from_bytes(bytes(row[-1]))) for row in rows if row[0] != but
    ]


def _known(row: tuple[Any, ...], vector: Vector | None = None) -> Known:
    identity, content, subject, status, *rest = row
    values = [identity, content, subject, Status(status), *rest, vector]
    return Known(*values)
