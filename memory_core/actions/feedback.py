"""What agents say of the memories that they recalled."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from memory_core import auditing, idempotency, isolation, locks
from memory_core.contracts.callers import Actor, Scope
from memory_core.contracts.idempotency import IdempotencyKey, Replay
from memory_core.exceptions import NotFound
from memory_core.models import Memory, RecallEvent
from memory_core.querysets.memories import MemoryQuerySet
from memory_core.saving import assessing, gates
from memory_core.screening import redact_secrets

LONGEST_NOTE = 1_000


def give(
    *,
    by: Actor,
    scope: Scope,
    memory_id: UUID,
    verdict: str,
    note: str = "",
    once: IdempotencyKey | None = None,
) -> None:
    """Keep a verdict (`useful`, `not_useful` or `wrong`) on one memory.

    It moves confidence and score within limits; `wrong` opens a review. Raises
    NotFound, OwnerBeingErased, OwnerErased.
    """
    now = timezone.now()
    with isolation.transaction_for(by, scope):
        try:
            idempotency.claim(once, now=now)
        except Replay:
            return
        memory = _locked(scope, [memory_id]).first()
        if memory is None:
            raise NotFound()
        kept_note = redact_secrets(note[:LONGEST_NOTE]).text
        assessing.assess(memory, verdict, by=by, note=kept_note, now=now)
        _record(memory, verdict, by=by, scope=scope)
        _keep(once, memory_id, scope, now=now)


def report_used(
    *,
    by: Actor,
    scope: Scope,
    recall_id: UUID,
    used: Sequence[UUID],
    once: IdempotencyKey | None = None,
) -> None:
    """Keep which memories of a recall were of use; a second report changes nothing.

    Memories that the recall did not return are left out, once it is on record (some
    seconds after it). Raises NotFound when none of them is there.
    """
    now = timezone.now()
    with isolation.transaction_for(by, scope):
        try:
            idempotency.claim(once, now=now)
        except Replay:
            return
        served = set(
            RecallEvent.objects.filter(
                recall_id=recall_id, owner_id=scope.owner
            ).values_list("memory_id", flat=True)
        )
        memories = list(_locked(scope, served or used))
        if not memories:
            raise NotFound()
        count = assessing.assess_recall(recall_id, memories, set(used), by=by, now=now)
        auditing.record(
            "feedback.used",
            by=by,
            owner_id=scope.owner_id,
            recall_id=str(recall_id),
            memories=count,
        )
        _keep(once, recall_id, scope, now=now)


def _locked(scope: Scope, memory_ids: Sequence[UUID] | set[UUID]) -> MemoryQuerySet:
    """The memories, after everybody else who writes for the owner is done."""
    for namespace in sorted(scope.namespaces):
        locks.lock_for_write(scope.owner_id, owner=scope.owner, namespace=namespace)
    gates.check_owner(scope.owner_id)
    rows = Memory.objects.within(scope).select_related("source")
    return rows.filter(pk__in=memory_ids).order_by("pk")


def _record(memory: Memory, verdict: str, *, by: Actor, scope: Scope) -> None:
    auditing.record(
        "feedback.give",
        by=by,
        memory_id=memory.pk,
        owner_id=scope.owner_id,
        verdict=verdict,
    )


def _keep(
    once: IdempotencyKey | None, about: UUID, scope: Scope, *, now: datetime
) -> None:
    idempotency.keep(once, answer={"id": str(about)}, owner=scope.owner, now=now)
