"""Ask for an owner's memories by meaning."""

from dataclasses import asdict, replace

from django.conf import settings
from django.utils import timezone

from memory_core import digests
from memory_core.actions import access
from memory_core.contracts.callers import Caller, Scope
from memory_core.contracts.recall import RecallQuery, RecallResult
from memory_core.contracts.tokens import SPEAKS
from memory_core.contracts.touches import Kinship, Note, Sample, Served
from memory_core.recall import engine, touches

WITHHELD = ("screening", "faded", "budget", "untrusted_for_purpose")


def recall(*, by: Caller, query: RecallQuery, sampled: bool = True) -> RecallResult:
    """Return the memories that answer `query`, best first.

    An owner that is unknown, or whom the token may not see, has none. What the recall
    changes (scores, counts, events, its audit entry) is written seconds later;
    of a query that nobody asked in words no sample is kept (`sampled`).
    """
    now = timezone.now()
    scope = access.read_scope(by, query.owner_id, namespaces=query.namespaces)
    result = engine.search(by, scope, query, now=now)
    note = _note(by, scope, query, result, at=now.timestamp())
    touches.push(note if sampled else replace(note, sample=None))
    return result


def _note(
    by: Caller, scope: Scope, query: RecallQuery, result: RecallResult, *, at: float
) -> Note:
    may_touch = query.touch and query.as_of is None
    named = [name for name, row in by.readable.items() if row in scope.namespaces]
    return Note(
        at=at,
        actor=by.name,
        token_id=by.token_id,
        recall_id=result.recall_id,
        token_prefix=by.token_prefix,
        request_id=by.request_id,
        agent_id=by.agent_id,
        owner=scope.owner,
        owner_digest=digests.of_owner(query.owner_id).hex(),
        namespace=named[0] if len(named) == 1 else "",
        session=touches.session_digest(query.owner_id, query.session_id),
        touches=may_touch,
        served=_served(by, result),
        withheld={name: n for name in WITHHELD if (n := _count(result, name))},
        kinship=_kinship(by, result) if may_touch else None,
        sample=_sample(scope, query),
    )


def _count(result: RecallResult, reason: str) -> int:
    count: int = getattr(result.withheld, reason)
    return count


def _served(by: Caller, result: RecallResult) -> tuple[Served, ...]:
    return tuple(
        Served(
            hit.memory.memory_id,
            by.readable[hit.memory.namespace],
            rank,
            hit.memory.score,
        )
        for rank, hit in enumerate(result.hits, start=1)
    )


def _kinship(by: Caller, result: RecallResult) -> Kinship | None:
    """Only a user's own words keep alive what is akin to what they recall."""
    return result.kinship if SPEAKS in by.scopes else None


def _sample(scope: Scope, query: RecallQuery) -> Sample | None:
    if not settings.RECALL_SAMPLES or not scope.namespaces or not scope.owner:
        return None
    filters = asdict(query.narrowing) | {
        "top_k": query.top_k,
        "min_score": query.min_score,
        "purpose": query.purpose,
        "include_archived": query.include_archived,
        "rerank": query.rerank if query.rerank != "none" else None,
    }
    kept = {name: value for name, value in filters.items() if value}
    return Sample(scope.namespaces[0], query.query, kept)
