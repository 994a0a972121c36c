"""What "forget what I said about ..." means: which memories have to go."""

import re
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from memory_core.contracts.callers import Scope
from memory_core.contracts.enums import Status
from memory_core.models import Memory
from memory_core.querysets.memories import MemoryQuerySet
from memory_core.recall import candidates
from memory_core.recall.question import background_of, make_ready
from memory_core.recall.reach import Reach

MEANT = 0.4
"""Relevance from which a memory is what the person means. Below even, since what stays
by mistake breaks a promise, and a dry run shows what would go by mistake."""
MOST = 200
EVERY_STATE = tuple(Status)

REQUEST = re.compile(
    r"^\s*(?:please\s+)?(?:forget|delete|remove|erase)\s+"
    r"(?:(?:everything|anything|all|what)\s+)?"
    r"(?:(?:that\s+)?i(?:'ve| have)?\s+(?:said|told you|mentioned)\s+)?"
    r"(?:about\s+|of\s+)?"
    r"|^\s*(?:请|请你|麻烦)?(?:把)?(?:忘掉|忘记|忘了|删掉|删除|清除)(?:所有|一切)?"
    r"(?:关于)?(?:我)?(?:之前|以前|刚才|上次)?(?:跟你|和你|对你)?"
    r"(?:说过的|说的|提到的|提过的|告诉你的)?(?:关于)?",
    re.IGNORECASE,
)


def matter_of(query: str) -> str:
    """Return what is to be forgotten: the request without its "forget what I said"."""
    return REQUEST.sub("", query, count=1).strip() or query


def by_matter(query: str, *, scope: Scope, now: datetime) -> set[UUID]:
    """Return the memories, of every state, that are about what the query names.

    What one of them had replaced goes too: an old address is an address.
    """
    reach = Reach(scope, EVERY_STATE)
    background = background_of(scope)
    asked = make_ready(matter_of(query), background, scope)
    found = candidates.look_for(asked, background, reach, MOST)
    pool = candidates.ranked(found, asked, background, reach, now=now.timestamp())
    relevance = pool.ranking.parts["absolute"]
    meant = {
        row.id
        for row, share in zip(pool.rows, relevance, strict=True)
        if share >= MEANT
    }
    return meant | _replaced_by(meant, scope)


def by_circumstance(
    *, scope: Scope, session_id: str = "", since: datetime | None = None
) -> MemoryQuerySet:
    """Return the memories of a session, or said since a moment, or both."""
    narrowed = Q()
    if session_id:
        narrowed &= Q(session_id=session_id)
    if since:
        narrowed &= Q(observed_at__gte=since)
    return Memory.objects.within(scope).filter(narrowed)


def _replaced_by(found: set[UUID], scope: Scope) -> set[UUID]:
    older: set[UUID] = set()
    front = found
    while front:
        rows = Memory.objects.within(scope).filter(superseded_by__in=front)
        front = set(rows.values_list("pk", flat=True)) - older - found
        older |= front
    return older
