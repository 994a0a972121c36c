"""What the stages of a run share: its scope, its batches, what it records."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from django.db import transaction

from memory_core import auditing, locks
from memory_core.contracts.callers import SYSTEM
from memory_core.exceptions import MnemeError
from memory_core.saving import gates
from memory_core.saving.lookups import Space

Case = dict[str, Any]
"""One change and why: `action`, `memory_id`, codes, ids and numbers, never text."""

Note = Callable[[Sequence[Case]], None]
"""Puts cases on the job, in the transaction of the changes that they tell of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunScope:
    """The scope of a run: a namespace, one owner of it or all, changes since a time.

    `gone` holds what a dry run would have retired so far, so that it tells nothing
    twice.
    """

    run: UUID
    space: Space
    owner: int | None
    since: datetime | None
    now: datetime
    gone: set[UUID] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Person:
    """The owner of some memories: row id and external id."""

    row: int
    owner_id: str


class Item(Protocol):
    """Something to do for one owner in one transaction."""

    def foresee(self) -> Sequence[Case]:
        """Return what `act` would do."""

    def act(self, run_scope: RunScope, note: Note) -> None:
        """Check again under the owner's lock, apply the change and record it."""


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch: planned changes, memories scanned, the cursor to resume from."""

    items: Sequence[Item]
    seen: int
    after: UUID | None


@contextmanager
def locked(person: Person, run_scope: RunScope) -> Iterator[None]:
    """Run a transaction in which nobody else writes for this owner there.

    Raises OwnerBeingErased, OwnerErased and OwnerRestricted.
    """
    with transaction.atomic():
        locks.lock_for_write(
            person.owner_id, owner=person.row, namespace=run_scope.space.id
        )
        gates.check_owner(person.owner_id)
        yield


def record(case: Case, person: Person, run_scope: RunScope) -> None:
    """Put a change on the record, in its transaction."""
    named = ("action", "memory_id")
    details = {key: value for key, value in case.items() if key not in named}
    auditing.record(
        f"consolidation.{case['action']}",
        by=SYSTEM,
        namespace=run_scope.space.name,
        memory_id=UUID(case["memory_id"]),
        owner_id=person.owner_id,
        run=str(run_scope.run),
        **details,
    )


Skipped = MnemeError
"""What stops one item and not the run: an owner behind a fence, a blocked source."""
