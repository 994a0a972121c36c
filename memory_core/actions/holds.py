"""Legal holds: what is placed and released by people, and what stands."""

import re
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from memory_core import auditing, isolation, locks
from memory_core.contracts.callers import Actor
from memory_core.exceptions import InvalidInput, NotFound, TransitionRefused
from memory_core.models import LegalHold, Memory, Namespace, Owner
from memory_core.queueing import enqueue

REASON = re.compile(r"[a-z0-9_().:-]{1,50}")
NO_CODE = (
    "The reason is a code of at most 50 small letters, digits and _().:- without"
    " spaces, like court_order."
)


def place_hold(
    *,
    reason: str,
    by: Actor,
    owner_id: str = "",
    namespace: str = "",
    memory_id: UUID | None = None,
    expires_at: datetime | None = None,
) -> LegalHold:
    """Return the hold over an owner, a namespace or one memory, now in force.

    Waits for the deletions that are under way; none after it touches what is held.
    `reason` is a code. Raises InvalidInput, NotFound.
    """
    if [bool(owner_id), bool(namespace), memory_id is not None].count(True) != 1:
        raise InvalidInput("Name exactly one of owner_id, namespace and memory_id.")
    if not REASON.fullmatch(reason):
        raise InvalidInput(NO_CODE, field="reason")
    now = timezone.now()
    with isolation.transaction_for(by):
        locks.change_holds()
        owner = _owner(owner_id) if owner_id else None
        hold = LegalHold.objects.create(
            owner=owner,
            namespace=_namespace(namespace) if namespace else None,
            memory_id=_memory(memory_id) if memory_id else None,
            reason=reason,
            placed_by=by.name,
            placed_at=now,
            expires_at=expires_at,
        )
        auditing.record(
            "hold.place",
            by=by,
            namespace=namespace,
            memory_id=memory_id,
            owner_id=owner_id,
            hold=hold.pk,
            reason=reason,
        )
    return hold


def release_hold(*, hold: int, reason: str, by: Actor) -> None:
    """End a hold; an erasure that waited for it goes on by itself.

    Raises NotFound, TransitionRefused for one that was released before, InvalidInput.
    """
    if not REASON.fullmatch(reason):
        raise InvalidInput(NO_CODE, field="reason")
    with isolation.transaction_for(by):
        locks.change_holds()
        row = LegalHold.objects.select_for_update().filter(pk=hold).first()
        if row is None:
            raise NotFound()
        if row.released_at is not None:
            raise TransitionRefused(
                "This hold was released already.", why="released_already"
            )
        row.released_at = timezone.now()
        row.save(update_fields=["released_at"])
        auditing.record("hold.release", by=by, hold=hold, reason=reason)
        enqueue("tend_erasures")


def _owner(owner_id: str) -> Owner:
    row = Owner.objects.filter(external_id=owner_id).first()
    if row is None:
        raise NotFound(
            "There is no such owner.", field="owner_id", why="nothing_to_hold"
        )
    return row


def _namespace(name: str) -> Namespace:
    row = Namespace.objects.filter(name=name).first()
    if row is None:
        raise NotFound(
            "There is no such namespace.", field="namespace", why="nothing_to_hold"
        )
    return row


def _memory(memory_id: UUID) -> UUID:
    if not Memory.unscoped.filter(pk=memory_id).exists():
        raise NotFound(
            "There is no such memory.", field="memory_id", why="nothing_to_hold"
        )
    return memory_id
