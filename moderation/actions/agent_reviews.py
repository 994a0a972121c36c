"""What reviewer agents decide: nothing that people have handed on to a lead."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any
from uuid import UUID

from memory_core import isolation
from memory_core.actions import reviews
from memory_core.contracts.callers import Caller
from memory_core.contracts.reviews import QueueView, WaitingPage
from memory_core.exceptions import TransitionRefused
from memory_core.models import Memory
from moderation.waiting import handed_on


def waiting(
    *, by: Caller, view: QueueView, after: UUID | None, limit: int, now: datetime
) -> WaitingPage:
    """Return a page of what waits for agents; see the core's `waiting`."""
    return reviews.waiting(
        by=by, view=view, after=after, limit=limit, now=now, without=handed_on()
    )


def approve(*, by: Caller, memory_id: UUID, **seen: Any) -> Memory:
    """Return the memory, active; see the core's `approve`.

    Raises TransitionRefused for what was handed on to a lead.
    """
    with _left_to_agents(by, memory_id):
        return reviews.approve(by=by, memory_id=memory_id, **seen)


def reject(*, by: Caller, memory_id: UUID, **seen: Any) -> Memory:
    """Return the memory, rejected; raises as `approve` does."""
    with _left_to_agents(by, memory_id):
        return reviews.reject(by=by, memory_id=memory_id, **seen)


@contextmanager
def _left_to_agents(by: Caller, memory_id: UUID) -> Iterator[None]:
    """Run the decision's transaction, in which nobody hands the memory on.

    Who hands it on holds its row too: then it waits here and is seen.
    """
    with isolation.console_transaction():
        reviews.lock_owner_of(by, memory_id)
        rows = reviews.within_reach(by).select_for_update(of=("self",))
        memory = rows.filter(pk=memory_id).first()
        if memory and handed_on().filter(memory_id=memory_id).exists():
            raise TransitionRefused("A lead decides this.", why="lead_decides")
        yield
