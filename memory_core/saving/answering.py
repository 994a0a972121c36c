"""The end of a save: its audit entry and what the caller is told."""

from typing import Any
from uuid import UUID

from memory_core import auditing
from memory_core.contracts.enums import EmbeddingState, Status
from memory_core.contracts.memories import Saved
from memory_core.models import Memory, MemoryUse
from memory_core.queueing import enqueue
from memory_core.saving import lookups, storage
from memory_core.saving.preparing import Prepared
from memory_core.scoring import Strength as LiveStrength
from memory_core.scoring import live_score
from memory_core.stages import stage


def finish(memory: Memory, event: str, prepared: Prepared) -> Saved:
    """Record what became of a draft and answer."""
    with stage("storing"):
        record(memory, event, prepared)
    return answer(memory, event, prepared)


def record(
    memory: Memory,
    event: str,
    prepared: Prepared,
    *,
    superseded: tuple[UUID, ...] = (),
    reasons: tuple[str, ...] = (),
) -> None:
    """Put a save on the record; a vector that is missing is asked of the queue."""
    more: dict[str, Any] = {}
    if prepared.redacted:
        more["redacted"] = list(prepared.redacted)
    auditing.record(
        "memory.save",
        by=prepared.by,
        namespace=prepared.space.name,
        memory_id=memory.pk,
        owner_id=prepared.draft.owner_id,
        content=prepared.draft.content,
        event=event,
        status=Status(memory.status).word,
        source=prepared.origin.kind.value,
        superseded=[str(one) for one in superseded],
        reasons=list(reasons),
        **more,
    )
    if memory.embedding == EmbeddingState.QUEUED:
        enqueue("embed_memory", str(memory.pk))


def answer(
    memory: Memory,
    event: str,
    prepared: Prepared,
    *,
    superseded: tuple[UUID, ...] = (),
    reasons: tuple[str, ...] = (),
    strength: storage.Strength | None = None,
) -> Saved:
    """Return what the caller is told of the memory as it stands."""
    if not reasons and memory.status == Status.PENDING:
        reasons = tuple(memory.decision.get("reasons", ()))
    return Saved(
        memory_id=memory.pk,
        event=event,
        status=Status(memory.status).word,
        version=memory.version,
        score=_score(memory, strength, prepared),
        embedding=memory.embedding,
        superseded=superseded,
        superseded_by=memory.superseded_by_id,
        reasons=reasons,
        redacted=prepared.redacted,
    )


def _score(
    memory: Memory, strength: storage.Strength | None, prepared: Prepared
) -> float:
    if strength is None:
        use = MemoryUse.objects.get(pk=memory.pk)
        strength = storage.Strength(
            use.base_score, use.last_accessed_at, use.access_count
        )
    live = LiveStrength(
        base=strength.base,
        since=strength.last_accessed_at or memory.observed_at,
        accesses=strength.access_count,
        permanent=memory.tier == "permanent",
        deadline=memory.expire_at,
    )
    policy = lookups.policy(memory.category_id, memory.namespace_id)
    return live_score(live, policy, now=prepared.now)
