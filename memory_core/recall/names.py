"""The names of an owner: the subjects of their memories, and what profiles state."""

import re
from collections.abc import Iterable

from memory_core.contracts.callers import Scope
from memory_core.contracts.enums import Status
from memory_core.lexical import frequent_names
from memory_core.lexical.names import COMMON_SHARE
from memory_core.prepared import fetch

MOST_NAMES = 64
STATEMENTS = 20
STATING_TERMS = ("我叫", "名叫", "叫做", "名字", "name", "call")
"""Terms (see `lexical.terms`) without which no text states a name."""
STATED = re.compile(
    r"(?:我叫|名叫|叫做|名字[是叫])\s*[“\"'「]?([\u4e00-\u9fff·]{2,4}|[A-Za-z][\w-]{1,30})"
    r"|(?i:\b(?:name is|name's|called|call me))\s+[\"'“]?"
    r"([A-Z][\w-]{1,30}(?: [A-Z][\w-]{1,30})?)"
)

# Each step of the recursion jumps to the next different subject in the index.
SUBJECTS = f"""
ARRAY(WITH RECURSIVE found AS (
  (SELECT subject, 1 AS number FROM memory_core_memory
   WHERE owner_id = %(owner)s AND namespace_id = ANY(%(namespaces)s::bigint[])
     AND status = {Status.ACTIVE:d} AND subject <> ''
   ORDER BY subject LIMIT 1)
  UNION ALL
  SELECT later.subject, found.number + 1 FROM found, LATERAL (
    SELECT m.subject FROM memory_core_memory m
    WHERE m.owner_id = %(owner)s AND m.namespace_id = ANY(%(namespaces)s::bigint[])
      AND m.status = {Status.ACTIVE:d} AND m.subject <> ''
      AND m.subject > found.subject
    ORDER BY m.subject LIMIT 1) AS later
  WHERE found.number < {MOST_NAMES})
SELECT subject FROM found)
"""

STATEMENTS_OF_NAMES = f"""
ARRAY(SELECT left(m.content, 500) FROM memory_core_memoryterm t
  JOIN memory_core_memory m ON m.id = t.memory_id
  JOIN memory_core_category c ON c.id = m.category_id AND c.name = 'profile'
  WHERE t.owner_id = %(owner)s AND t.namespace_id = ANY(%(namespaces)s::bigint[])
    AND t.status = {Status.ACTIVE:d} AND t.term = ANY(%(stating)s::text[])
  LIMIT {STATEMENTS})
"""


def values(scope: Scope) -> dict[str, object]:
    """Return the values that the pieces of SQL refer to."""
    return {
        "owner": scope.owner,
        "namespaces": list(scope.namespaces),
        "stating": list(STATING_TERMS),
    }


COUNTS = f"""
SELECT q.subject, (SELECT count(*) FROM (SELECT FROM memory_core_memory m
    WHERE m.owner_id = %(owner)s AND m.namespace_id = ANY(%(namespaces)s::bigint[])
      AND m.status = {Status.ACTIVE:d} AND m.subject <> '' AND m.subject = q.subject
    LIMIT %(enough)s) AS counted)
FROM unnest(%(subjects)s::text[]) AS q(subject)
"""


def common_among(
    subjects: Iterable[str], scope: Scope, *, memories: int
) -> frozenset[str]:
    """Return those of `subjects` that enough of the owner's `memories` are about."""
    asked = list(subjects)
    if not asked:
        return frozenset()
    enough = {"enough": int(memories * COMMON_SHARE) + 1, "subjects": asked}
    counts = dict(fetch(COUNTS, values(scope) | enough))
    others = {"": max(0, memories - sum(counts.values()))}
    return frozenset(frequent_names(counts | others))


def stated(text: str) -> list[str]:
    """Return the names that a profile states ("我叫小明", "my name is Ann Lee")."""
    return [zh or en for zh, en in STATED.findall(text)]
