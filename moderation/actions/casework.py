"""What every step of a request shares: lock, log, count the days."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from memory_core import auditing, isolation
from memory_core.contracts.callers import Actor
from memory_core.exceptions import NotFound, TransitionRefused
from moderation.cases import OPEN, due_on, file_of
from moderation.models import CaseEvent, CaseState, ErasureCase

BEFORE_THE_FENCE = (
    CaseState.RECEIVED,
    CaseState.IDENTITY_PENDING,
    CaseState.IDENTITY_OK,
    CaseState.DISCOVERING,
    CaseState.ASSESSING,
    CaseState.AWAITING_APPROVAL,
    CaseState.SCHEDULED,
    CaseState.BLOCKED_BY_HOLD,
)


@contextmanager
def step(
    ref: str, *, by: Actor, within: Iterable[CaseState] = OPEN
) -> Iterator[ErasureCase]:
    """Give a request, locked, and save it at the end, its due date counted anew.

    Raises NotFound, and TransitionRefused in another state than those.
    """
    with isolation.transaction_for(by):
        case = ErasureCase.objects.select_for_update().filter(ref=ref).first()
        if case is None:
            raise NotFound()
        if case.state not in tuple(within):
            raise TransitionRefused(
                "This step is not open in the request's state.",
                why="no_such_step",
                state=case.state,
            )
        yield case
        case.due_on = due_on(case)
        case.save()


def log(
    case: ErasureCase, name: str, *, by: Actor, now: datetime, **details: Any
) -> CaseEvent:
    """Return the new line of the request's history; the audit log gets the same."""
    owners = file_of(case).owner_ids
    auditing.record(
        f"erasure.{name}",
        by=by,
        owner_id=owners[0] if owners else "",
        case=case.ref,
        **details,
    )
    return CaseEvent.objects.create(
        case=case, name=name, actor=by.name, at=now, details=details
    )


def close(case: ErasureCase, state: CaseState, *, now: datetime) -> None:
    """End a request in one of the closed states."""
    case.state, case.closed_at = state, now
