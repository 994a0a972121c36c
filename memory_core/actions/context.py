"""A ready block for a prompt: what an agent should know at this moment."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import count
from uuid import UUID

from django.utils import timezone

from memory_core import isolation
from memory_core.actions import sessions
from memory_core.actions.recall import recall
from memory_core.contracts.callers import Caller
from memory_core.contracts.context import Context, ContextQuery
from memory_core.contracts.recall import Narrowing, RecallQuery, RecallResult
from memory_core.contracts.sessions import Session
from memory_core.contracts.views import MemoryView
from memory_core.encoding.conflicts import conflicts
from memory_core.exceptions import ServiceUnavailable
from memory_core.recall.block import is_wish, render
from memory_core.recall.counts import added
from memory_core.screening import redact_secrets

WISHES = ("constraint", "skill", "preference")
MUST_HOLD = ("constraint", "skill")
PROFILE = ("profile", "constraint", "skill", "preference")
OVERVIEW = "the user's name, work, preferences, rules; 用户的名字、工作、偏好、规则"
MOST_WISHES = 3
MOST_OF_PROFILE = 60
RELEVANT = 0.4
"""Similarity from which a preference bears on what is asked."""


def context(*, by: Caller, query: ContextQuery) -> Context:
    """Return the block for one moment of a conversation.

    `session_start` gives an overview of who the user is; `turn` and `tool_call` what
    bears on the query, the user's standing wishes first. Nothing is shown of an owner
    that is unknown or that the token may not see.
    """
    now = timezone.now()
    answers = _answers(by, query)
    memories = _ordered(answers, query)[: query.most_memories]
    session = _session(by, query)
    said = session.window if session else ()
    with isolation.agent_transaction():
        disagreeing = tuple(conflicts(said, memories)) if said else ()
    block = render(
        memories,
        budget=query.budget,
        now=now,
        summary=redact_secrets(session.summary).text if session else "",
        conflicts=disagreeing,
    )
    return Context(
        block=block,
        memories=tuple(memories),
        conflicts=disagreeing,
        recall_ids=tuple(one.recall_id for one in answers),
        withheld=added(one.withheld for one in answers),
        hints=tuple(dict.fromkeys(hint for one in answers for hint in one.hints)),
        budget=query.budget,
    )


def _answers(by: Caller, query: ContextQuery) -> list[RecallResult]:
    """Only what answers a question is touched: standing wishes are shown each time."""
    base = RecallQuery(
        owner_id=query.owner_id,
        query=query.query or OVERVIEW,
        top_k=query.most_memories,
        namespaces=query.namespaces,
        session_id=query.session_id,
        purpose=query.purpose,
    )
    if query.moment == "session_start":
        overview = replace(
            base,
            narrowing=Narrowing(categories=PROFILE),
            top_k=MOST_OF_PROFILE,
            touch=False,
        )
        return [recall(by=by, query=overview, sampled=False)]
    standing = replace(
        base,
        narrowing=Narrowing(categories=WISHES, source_kinds=("user_input",)),
        top_k=MOST_WISHES,
        touch=False,
    )
    return [recall(by=by, query=base), recall(by=by, query=standing, sampled=False)]


def _ordered(answers: Sequence[RecallResult], query: ContextQuery) -> list[MemoryView]:
    if query.moment == "session_start":
        found = _by_turns([hit.memory for hit in answers[0].hits])
    else:
        found = list(_with_standing(*answers))
    distinct = {memory.memory_id: memory for memory in found}
    return sorted(distinct.values(), key=lambda memory: not is_wish(memory))


def _by_turns(memories: Iterable[MemoryView]) -> list[MemoryView]:
    """Return the strongest of each category, then the second ones, and so on."""
    strongest = sorted(memories, key=lambda memory: -memory.score)
    numbers = {category: count() for category in PROFILE}
    places: dict[UUID, tuple[int, int]] = {
        memory.memory_id: (
            next(numbers[memory.category]),
            PROFILE.index(memory.category),
        )
        for memory in strongest
    }
    return sorted(strongest, key=lambda memory: places[memory.memory_id])


def _with_standing(
    answer: RecallResult, standing: RecallResult
) -> Iterable[MemoryView]:
    """Rules that hold whatever is asked, then what bears on it."""
    for hit in standing.hits:
        if hit.memory.category in MUST_HOLD or hit.similarity >= RELEVANT:
            yield hit.memory
    yield from (hit.memory for hit in answer.hits)


def _session(by: Caller, query: ContextQuery) -> Session | None:
    """Return the session's window; without Valkey the block does without it."""
    if not query.session_id:
        return None
    try:
        return sessions.find(
            by=by, owner_id=query.owner_id, session_id=query.session_id
        )
    except ServiceUnavailable:
        return None
