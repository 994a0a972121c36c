"""What agents say of recalled memories, and how far that may move them.

Confidence stays within 0.1 above and 0.3 below what its kind of source starts with, a
verdict of one agent on one memory counts once an hour, and only who may write and
overrule a memory takes it out of recall by calling it wrong. What an agent says that
may only read moves nothing; it is kept, and `wrong` is reported to people.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from memory_core.contracts.callers import Actor, Caller
from memory_core.contracts.enums import SourceKind, Status, Tier
from memory_core.contracts.reviews import REPORTED
from memory_core.contracts.trust import TrustRank
from memory_core.models import Feedback, Memory, MemoryUse
from memory_core.saving import transitions
from memory_core.saving.provenance import CONFIDENCE, speaks_for_users
from memory_core.saving.strength import left
from memory_core.scoring.reinforcement import NEAR_RANK_GAIN

STEP = 0.05
MOST_ABOVE, MOST_BELOW = 0.1, 0.3
PAUSE = timedelta(hours=1)
UPWARDS = {"useful": 1, "used": 1, "not_useful": -1, "unused": 0, "wrong": -1}


def assess(
    memory: Memory,
    verdict: str,
    *,
    by: Actor,
    note: str = "",
    recall_id: UUID | None = None,
    now: datetime,
) -> Feedback:
    """Return the kept verdict on a memory, which has moved it within the limits."""
    agent = by.agent_id if isinstance(by, Caller) else 0
    counts = (
        not Feedback.objects.filter(
            memory_id=memory.pk, agent_id=agent, at__gt=now - PAUSE
        )
        .exclude(verdict="unused")
        .exists()
    )
    feedback = Feedback.objects.create(
        memory_id=memory.pk,
        owner_id=memory.owner_id,
        namespace_id=memory.namespace_id,
        recall_id=recall_id,
        agent_id=agent,
        verdict=verdict,
        note=note,
        at=now,
    )
    if counts and UPWARDS[verdict] and _may_write(memory, by):
        _move(memory, UPWARDS[verdict], now=now)
    if verdict == "wrong":
        _open_review(memory, by, now=now)
    return feedback


def assess_recall(
    recall_id: UUID,
    memories: Iterable[Memory],
    used: set[UUID],
    *,
    by: Actor,
    now: datetime,
) -> int:
    """Keep which memories of a recall were used; return how many, 0 the second time."""
    agent = by.agent_id if isinstance(by, Caller) else 0
    if Feedback.objects.filter(recall_id=recall_id, agent_id=agent).exists():
        return 0
    verdicts = [
        assess(
            memory,
            "used" if memory.pk in used else "unused",
            by=by,
            recall_id=recall_id,
            now=now,
        )
        for memory in memories
    ]
    return len(verdicts)


def _move(memory: Memory, direction: int, *, now: datetime) -> None:
    start = CONFIDENCE[SourceKind(memory.source.kind)]
    highest, lowest = min(1.0, start + MOST_ABOVE), start - MOST_BELOW
    wanted = memory.confidence + direction * STEP
    if direction > 0:
        memory.confidence = max(memory.confidence, min(highest, wanted))
    else:
        memory.confidence = min(memory.confidence, max(lowest, wanted))
    memory.save(update_fields=["confidence"])
    use = MemoryUse.objects.select_for_update().get(pk=memory.pk)
    faded = use.base_score * left(memory, use, now=now)
    moved = faded + direction * NEAR_RANK_GAIN
    use.base_score = min(1.0, max(0.0, moved))
    use.last_accessed_at = max(now, use.last_accessed_at or now)
    use.save(update_fields=["base_score", "last_accessed_at"])


def _open_review(memory: Memory, by: Actor, *, now: datetime) -> None:
    """Let the memory wait for a person, or, if it is more trusted, only report it."""
    reasons = [*memory.decision.get("reasons", []), REPORTED]
    memory.decision = memory.decision | {"reasons": list(dict.fromkeys(reasons))}
    if _may_write(memory, by):  # what only readers say takes no approval back
        memory.reviewed_at, memory.reviewed_by = None, ""
    memory.save(update_fields=["decision", "reviewed_at", "reviewed_by"])
    rank = TrustRank.USER_INPUT if speaks_for_users(by) else TrustRank.INFERENCE
    may_overrule = rank >= memory.lineage_trust and memory.tier != Tier.PERMANENT
    if memory.status == Status.ACTIVE and may_overrule and _may_write(memory, by):
        transitions.hold([memory.pk], now=now)


def _may_write(memory: Memory, by: Actor) -> bool:
    return not isinstance(by, Caller) or memory.namespace_id in by.writable.values()
