"""Contracts -> the plain values of an answer, written by hand for speed."""

from typing import Any

from memory_core.contracts.memories import Forgotten, Saved
from memory_core.contracts.recall import RecallHit, RecallResult, WithheldCounts
from memory_core.contracts.reviews import Waiting
from memory_core.contracts.views import History, MemoryView, VersionView


def saved(result: Saved) -> dict[str, Any]:
    """Return what became of a save."""
    answer: dict[str, Any] = {
        "memory_id": result.memory_id,
        "event": result.event,
        "status": result.status,
        "version": result.version,
        "score": result.score,
        "embedding": result.embedding,
    }
    if result.superseded:
        answer["superseded"] = list(result.superseded)
    if result.superseded_by:
        answer["superseded_by"] = result.superseded_by
    if result.reasons:
        answer["review"] = {"reasons": list(result.reasons)}
    if result.redacted:
        answer["redacted"] = list(result.redacted)
    return answer


def recalled(result: RecallResult, *, may_review: bool) -> dict[str, Any]:
    """Return a recall's answer; withheld ids are for those who may review."""
    return {
        "recall_id": result.recall_id,
        "memories": [_hit(hit) for hit in result.hits],
        "withheld": withheld(result.withheld, may_review=may_review),
        "hints": list(result.hints),
    }


def withheld(counts: WithheldCounts, *, may_review: bool) -> dict[str, Any]:
    """Return how many were left out by reason, for reviewers which."""
    answer: dict[str, Any] = {
        "screening": counts.screening,
        "faded": counts.faded,
        "budget": counts.budget,
        "untrusted_for_purpose": counts.untrusted_for_purpose,
    }
    if may_review and counts.ids:
        answer["ids"] = {reason: list(ids) for reason, ids in counts.ids.items()}
    return answer


def memory(view: MemoryView) -> dict[str, Any]:
    """Return one memory with its state, review and lineage."""
    reasons = view.decision.get("reasons") or ()
    return {
        **_core(view),
        "status": view.status,
        "namespace": view.namespace,
        "version": view.version,
        "embedding": view.embedding,
        "importance": view.importance,
        "metadata": view.metadata,
        "expire_at": view.expire_at,
        "updated_at": view.updated_at,
        "session_id": view.session_id,
        "position": view.position,
        "external_id": view.external_id,
        "review": {"reasons": list(reasons), "reviewed_at": view.reviewed_at},
        "lineage": {
            "superseded_by": view.superseded_by,
            "superseded_at": view.until,
            "merged_into": view.merged_into,
            "derived_from": list(view.derived_from),
            "related": list(view.related),
        },
    }


def waiting(found: Waiting) -> dict[str, Any]:
    """Return a memory that waits, with what a decision on it must name."""
    return {
        **memory(found.memory),
        "owner_id": found.owner_id,
        "content_digest": found.content_digest,
    }


def history(found: History) -> dict[str, Any]:
    """Return a memory with what it said before and what it replaced."""
    return {
        "memory": memory(found.memory),
        "versions": [_version(one) for one in found.versions],
        "supersedes": [memory(one) for one in found.supersedes],
        "merged": [memory(one) for one in found.merged],
    }


def forgotten(found: Forgotten, *, dry_run: bool) -> dict[str, Any]:
    """Return what was deleted, by id; a dry run shows the memories too."""
    answer: dict[str, Any] = {
        "dry_run": dry_run,
        "count": len(found.memory_ids),
        "memory_ids": list(found.memory_ids),
        "hints": [found.hint] if found.hint else [],
    }
    if dry_run:
        answer["memories"] = [memory(view) for view in found.memories]
    return answer


def _hit(hit: RecallHit) -> dict[str, Any]:
    view = hit.memory
    answer = _core(view)
    answer["namespace"] = view.namespace
    answer["metadata"] = view.metadata
    answer["session_id"] = view.session_id
    answer["position"] = view.position
    answer["external_id"] = view.external_id
    answer["similarity"] = hit.similarity
    answer["rank_score"] = hit.rank_score
    if hit.explain:
        answer["explain"] = dict(hit.explain)
    return answer


def _core(view: MemoryView) -> dict[str, Any]:
    source = view.source
    return {
        "memory_id": view.memory_id,
        "content": view.content,
        "category": view.category,
        "tier": view.tier,
        "score": view.score,
        "source": {"kind": source.kind, "name": source.name, "trust": source.trust},
        "subject": view.subject,
        "entities": list(view.entities),
        "tags": list(view.tags),
        "observed_at": view.observed_at,
        "occurred_at": view.occurred_at,
        "created_at": view.created_at,
        "last_accessed_at": view.last_accessed_at,
        "access_count": view.access_count,
        "confidence": view.confidence,
    }


def _version(view: VersionView) -> dict[str, Any]:
    return {
        "version": view.version,
        "event": view.event,
        "content": view.content,
        "values": view.values,
        "changed_by": view.changed_by,
        "created_at": view.created_at,
    }
