"""The columns of a memory from a draft and what was decided about it."""

from typing import Any
from uuid import UUID

from memory_core import digests
from memory_core.contracts.callers import Caller
from memory_core.contracts.enums import Status
from memory_core.contracts.memories import Draft
from memory_core.contracts.trust import TrustRank
from memory_core.models import Memory
from memory_core.models.base import new_id
from memory_core.saving import storage
from memory_core.saving.decide import Decision
from memory_core.saving.preparing import Prepared
from memory_core.saving.provenance import Origin, confidence_of, subject_of

NEUTRAL_IMPORTANCE = 0.5


def new_row(
    prepared: Prepared,
    *,
    owner: int,
    source: int,
    decision: Decision,
    reasons: tuple[str, ...],
) -> Memory:
    """Return the unsaved memory of a draft; with reasons it waits for a person."""
    by = prepared.by
    successor = None if reasons else decision.superseded_by
    status = Status.ACTIVE
    if reasons:
        status = Status.PENDING
    elif successor:
        status = Status.SUPERSEDED
    elif prepared.draft.expire_at and prepared.draft.expire_at <= prepared.now:
        status = Status.EXPIRED  # over before it was told
    return Memory(
        id=new_id(),
        namespace_id=prepared.space.id,
        owner_id=owner,
        source_id=source,
        agent_id=by.agent_id if isinstance(by, Caller) else None,
        token_prefix=by.token_prefix,
        status=status,
        content_digest=digests.of_content(prepared.draft.content),
        text_key=prepared.text_key,
        superseded_by_id=successor.id if successor else None,
        until=successor.last_said_at if successor else None,
        lineage_trust=lineage_of(prepared),
        decision=decision.to_dict() | ({"reasons": list(reasons)} if reasons else {}),
        verdict=prepared.verdict.to_dict(),
        rules_version=prepared.verdict.version,
        created_at=prepared.now,
        updated_at=prepared.now,
        observed_at=prepared.observed_at,
        derived_from=list(prepared.draft.derived_from),
        **values_of(prepared, related=decision.related),
    )


def values_of(prepared: Prepared, *, related: tuple[UUID, ...] = ()) -> dict[str, Any]:
    """The columns that say what the caller sent, defaults filled in."""
    draft = prepared.draft
    importance = draft.importance
    return {
        "content": draft.content,
        "category_id": prepared.kind.id,
        "tier": draft.tier,
        **subject_columns(draft, prepared.origin),
        "entities": list(draft.entities),
        "tags": list(draft.tags),
        "metadata": dict(draft.metadata),
        "importance": NEUTRAL_IMPORTANCE if importance is None else importance,
        "confidence": confidence_of(draft, prepared.origin.kind),
        "session_id": draft.session_id,
        "position": draft.position,
        "occurred_at": draft.occurred_at,
        "expire_at": draft.expire_at,
        "external_id": draft.external_id,
        "related": list(dict.fromkeys((*draft.related, *related))),
    }


def subject_columns(draft: Draft, origin: Origin) -> dict[str, Any]:
    """Whom it is about, and whether the source's name only stands in for that."""
    subject = subject_of(draft, origin)
    return {
        "subject": subject,
        "subject_is_assumed": bool(subject) and not draft.subject,
    }


def sent_values(prepared: Prepared) -> dict[str, Any]:
    """The columns that an update sets: what was sent, without defaults."""
    draft = prepared.draft
    values = values_of(prepared)
    if draft.importance is None:
        del values["importance"]
    if draft.confidence is None:
        del values["confidence"]
    for name in ("session_id", "position", "occurred_at", "expire_at", "related"):
        if not values[name]:
            del values[name]
    if prepared.draft.observed_at and values["content"]:
        values["observed_at"] = prepared.observed_at
    return values


def lineage_of(prepared: Prepared) -> int:
    """The trust of what was derived is the least trust of its inputs."""
    inputs = prepared.draft.derived_from
    if not inputs:
        return prepared.rank
    rows = Memory.objects.within(prepared.scope).filter(pk__in=inputs)
    ranks = [TrustRank(rank) for rank in rows.values_list("lineage_trust", flat=True)]
    return min([prepared.rank, *ranks])


def placed(prepared: Prepared) -> storage.Placed | None:
    """Return the vector with its space, None while there is none."""
    if prepared.vector is None:
        return None
    return storage.Placed(prepared.vector, prepared.model.id)
