"""What "forget what I said about ..." means: which memories have to go.

A statement ("forget that I like coffee") takes the memories that say it, a topic those
that contain what it names. The nearest memories are only where to look: how near they
are says nothing, since in every store some are the least unrelated ones.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db.models import Q

from memory_core.contracts.callers import Scope
from memory_core.contracts.enums import Status
from memory_core.contracts.memories import ForgettingHint
from memory_core.contracts.relation import Statement, Vector
from memory_core.embedding import EmbedderUnavailable
from memory_core.models import Memory
from memory_core.prepared import fetch
from memory_core.querysets.memories import MemoryQuerySet
from memory_core.recall import candidates
from memory_core.recall.question import Asked, background_of, make_ready
from memory_core.recall.reach import Reach
from memory_core.saving import covering, wishes, wording
from memory_core.saving.relation import relate_many
from memory_core.saving.vectors import from_bytes
from memory_core.saving.wishes import Kind

MOST = 200
"""So many of the nearest by vector, and of the best by words, are looked at."""
MOST_JUDGED = 40
MOST_UNSEEN = 10
"""What is deleted without a preview: more is not what one sentence means."""
EVERY_STATE = tuple(Status)
VECTORS = """
SELECT memory_id, halfvec_send(vector) FROM memory_core_memoryvector
 WHERE owner_id = %s AND model_id = %s AND memory_id = ANY(%s::uuid[])
"""


@dataclass(frozen=True, slots=True)
class Meant:
    """The memories that a request means; a hint says why there are none."""

    memory_ids: frozenset[UUID] = frozenset()
    hint: ForgettingHint = ""


def by_matter(query: str, *, scope: Scope, unseen: bool = False) -> Meant:
    """Return the memories, of every state, that a request to forget means.

    What one of them had replaced goes with a topic: an old address is an address.
    `unseen` says that nobody is shown first what would go.
    """
    wish = wishes.read(query)
    if wish.kind is Kind.EVERYTHING:
        return Meant(hint="everything")
    meant = _meant(wish, scope) if wish.matter else set()
    if wish.kind is Kind.TOPIC:
        meant |= _replaced_by(meant, scope)
    if not meant:
        return Meant(hint="nothing_fits")
    if unseen and len(meant) > MOST_UNSEEN:
        return Meant(hint="too_many")
    return Meant(frozenset(meant))


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


def _meant(wish: wishes.Wish, scope: Scope) -> set[UUID]:
    background = background_of(scope)
    asked = make_ready(wish.matter, background, scope)
    found = candidates.look_for(asked, background, Reach(scope, EVERY_STATE), MOST)
    rows = list(Memory.objects.within(scope).filter(pk__in=found.ids()))
    named = wording.words(wish.matter)
    if wish.kind is Kind.TOPIC:
        return {row.pk for row in rows if covering.is_about(_said(row), named)}
    saying = {row.pk for row in rows if covering.says(_said(row), named)}
    rest = [
        row
        for row in rows
        if row.pk not in saying and not (named.own and _other_subject(row))
    ]
    rest.sort(key=lambda row: found.near.get(row.pk, -1.0), reverse=True)
    return saying | _repeated(rest[:MOST_JUDGED], wish.matter, asked, scope)


def _said(memory: Memory) -> str:
    """Return what a memory says, with whom it is about where that was sent."""
    subject = _other_subject(memory)
    if not subject or subject in memory.content:
        return memory.content
    return f"{subject}: {memory.content}"


def _other_subject(memory: Memory) -> str:
    """Return whom a memory is about, empty if it is the owner."""
    subject = memory.stated_subject
    return "" if wording.is_owner(subject) else subject


def _repeated(
    rows: Sequence[Memory], statement: str, asked: Asked, scope: Scope
) -> set[UUID]:
    """Return which of the memories say the same in other words."""
    if asked.space is None:
        return set()
    try:
        [vector] = asked.space.embedder.embed_passages([statement])
    except EmbedderUnavailable:
        return set()
    vectors = _vectors([row.pk for row in rows], asked.space.model_id, scope)
    relations = relate_many(
        [
            Statement(
                row.content, row.stated_subject, row.observed_at, vectors.get(row.pk)
            )
            for row in rows
        ],
        Statement(statement, vector=vector),
        embedder=asked.space.embedder.name,
        thresholds=settings.RELATION_THRESHOLDS,
    )
    pairs = zip(rows, relations, strict=True)
    return {row.pk for row, relation in pairs if relation.kind == "duplicate"}


def _vectors(
    memory_ids: Sequence[UUID], model_id: int, scope: Scope
) -> Mapping[UUID, Vector]:
    rows = fetch(VECTORS, [scope.owner, model_id, list(memory_ids)])
    return {memory_id: from_bytes(bytes(sent)) for memory_id, sent in rows}


def _replaced_by(found: set[UUID], scope: Scope) -> set[UUID]:
    older: set[UUID] = set()
    front = found
    while front:
        rows = Memory.objects.within(scope).filter(superseded_by__in=front)
        front = set(rows.values_list("pk", flat=True)) - older - found
        older |= front
    return older
