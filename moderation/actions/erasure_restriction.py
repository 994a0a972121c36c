"""Restriction until a request is decided (Art. 18): kept, and used by nobody."""

from datetime import datetime

from memory_core.actions import restrictions
from memory_core.contracts.callers import Actor
from memory_core.exceptions import TransitionRefused
from moderation.actions.casework import BEFORE_THE_FENCE, log, step
from moderation.cases import file_of
from moderation.models import CaseState, ErasureCase


def restrict(*, ref: str, by: Actor, now: datetime) -> ErasureCase:
    """Return the request with the person's data restricted.

    Raises TransitionRefused when it is already, when nobody of that id is known, and
    after the fence.
    """
    with step(ref, by=by, within=BEFORE_THE_FENCE) as case:
        if case.restricted_at:
            raise TransitionRefused(
                "It is restricted already.", why="restricted_already"
            )
        if not begin(case, by=by, now=now):
            raise TransitionRefused(
                "Nothing is kept under these ids.", why="nothing_kept"
            )
    return case


def lift(*, ref: str, by: Actor, now: datetime) -> ErasureCase:
    """Return the request with the restriction lifted; raises TransitionRefused."""
    with step(ref, by=by, within=tuple(CaseState)) as case:
        if not case.restricted_at:
            raise TransitionRefused("It is not restricted.", why="not_restricted")
        end(case, by=by, now=now)
    return case


def begin(case: ErasureCase, *, by: Actor, now: datetime) -> bool:
    """Restrict; return whether any owner is known. For use inside a step."""
    owners = file_of(case).owner_ids
    known = restrictions.place(owner_ids=owners, case_ref=case.ref, by=by)
    if known:
        case.restricted_at = now
        log(case, "restricted", by=by, now=now, owners=known)
    return bool(known)


def end(case: ErasureCase, *, by: Actor, now: datetime) -> None:
    """Lift the restriction if there is one. For use inside a step."""
    if case.restricted_at:
        restrictions.lift(case_ref=case.ref, by=by)
        case.restricted_at = None
        log(case, "unrestricted", by=by, now=now)
