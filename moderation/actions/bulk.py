"""Several memories decided at once, each as it was seen, and the batch taken back."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User

from memory_core import auditing, isolation
from memory_core.contracts.callers import Actor
from memory_core.exceptions import MnemeError
from moderation.actions import reviews


@dataclass(frozen=True, slots=True)
class Seen:
    """A memory with the version and the digest that stood on the page."""

    memory_id: UUID
    version: int
    digest: str


Refusals = Mapping[UUID, MnemeError | None]
"""What became of each memory: why it was left as it is, None where it was moved."""


def decide_all(
    *,
    items: Iterable[Seen],
    verb: str,
    reason: str,
    user: User,
    by: Actor,
    now: datetime,
) -> Refusals:
    """Approve or reject each item; one that cannot be decided leaves the others be."""
    decide = reviews.DECISIONS[verb]
    found: dict[UUID, MnemeError | None] = {}
    with isolation.transaction_for(by):
        for item in items:
            try:
                memory = decide(
                    memory_id=item.memory_id,
                    version=item.version,
                    digest=item.digest,
                    reason=reason,
                    user=user,
                    by=by,
                    now=now,
                )
                found[item.memory_id] = reviews.shown_instead(memory)
            except MnemeError as error:
                found[item.memory_id] = error
        _record("review.bulk", found, by)
    return found


def undo_all(*, ids: Iterable[UUID], user: User, by: Actor, now: datetime) -> Refusals:
    """Take back the decision on each; one that cannot be leaves the others be."""
    found: dict[UUID, MnemeError | None] = {}
    with isolation.transaction_for(by):
        for memory_id in ids:
            found[memory_id] = None
            try:
                reviews.undo(memory_id=memory_id, user=user, by=by, now=now)
            except MnemeError as error:
                found[memory_id] = error
        _record("review.bulk_undo", found, by)
    return found


def _record(action: str, found: Refusals, by: Actor) -> None:
    decided = sum(error is None for error in found.values())
    auditing.record(action, by=by, decided=decided, of=len(found))
