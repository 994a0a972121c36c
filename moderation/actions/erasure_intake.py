"""Requests that an agent passes on: one reference each, one case a person."""

from dataclasses import dataclass
from datetime import date, datetime

from memory_core import idempotency, isolation, locks
from memory_core.contracts.callers import Caller
from memory_core.contracts.erasure import Identifier, IdentifierKind
from memory_core.contracts.idempotency import IdempotencyKey, Replay
from memory_core.exceptions import OwnerNotAllowed, TooManyOpenRequests
from memory_core.keys import tombstones
from memory_core.prepared import run
from moderation.actions import erasure_cases
from moderation.actions.erasure_cases import Channel, Intake
from moderation.models import BEFORE_APPROVAL, CLOSED, ErasureCase
from moderation.regimes import Regime

NARROW = "SELECT set_config('mneme.subject', %s, true)"
COUNT_OWN = "SELECT set_config('mneme.opener', %s, true)"
MOST_OPEN = 200
"""Requests of one agent on which people have not decided yet: as many as a team can
look through in a month. A program gone wild makes no more."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What an agent is told: the reference, when it came and until when we answer."""

    ref: str
    received_on: date
    due_on: date


def pass_on(
    *,
    owner_id: str,
    by: Caller,
    now: datetime,
    regime: str = Regime.GDPR,
    language: str = "en",
    once: IdempotencyKey | None = None,
) -> Receipt:
    """Return the receipt of an owner's request to be forgotten.

    An agent that asks again while its request is open gets the same reference. The
    answer does not tell whether the owner is known or somebody else has asked: such a
    case is found to be a duplicate later. Raises OwnerNotAllowed, IdempotencyConflict,
    TooManyOpenRequests.
    """
    if not by.may_see(owner_id):
        raise OwnerNotAllowed()
    with isolation.agent_transaction():
        try:
            idempotency.claim(once, now=now)
        except Replay as replay:
            return _again(replay)
        locks.lock_key(0, f"forget-owner:{owner_id}")
        _narrow(owner_id)
        case = _open_of(owner_id, by)
        if case is None:
            _check_number(by)
            case = erasure_cases.open_case(
                intake=_intake(owner_id, regime, language), by=by, now=now
            )
        receipt = Receipt(case.ref, case.received_on, case.due_on)
        idempotency.keep(once, answer=_answer(receipt), owner=None, now=now)
    return receipt


def _narrow(owner_id: str) -> None:
    """Tell row-level security whose requests this transaction may see."""
    known = tombstones.digests_of("owner", owner_id)
    run(NARROW, [",".join(one.digest.hex() for one in known)])


def _open_of(owner_id: str, by: Caller) -> ErasureCase | None:
    digests = [one.digest for one in tombstones.digests_of("owner", owner_id)]
    rows = ErasureCase.objects.filter(
        identifiers__kind="owner", identifiers__digest__in=digests, created_by=by.name
    )
    return rows.exclude(state__in=CLOSED).first()


def _check_number(by: Caller) -> None:
    locks.lock_key(0, f"forget-owner by {by.name}")
    run(COUNT_OWN, [by.name])
    rows = ErasureCase.objects.filter(created_by=by.name, state__in=BEFORE_APPROVAL)
    if rows.count() >= MOST_OPEN:
        raise TooManyOpenRequests()


def _intake(owner_id: str, regime: str, language: str) -> Intake:
    return Intake(
        identifiers=(Identifier(IdentifierKind.OWNER, owner_id),),
        channel=Channel.AGENT,
        regime=regime,
        language=language,
    )


def _answer(receipt: Receipt) -> dict[str, str]:
    return {
        "ref": receipt.ref,
        "received_on": receipt.received_on.isoformat(),
        "due_on": receipt.due_on.isoformat(),
    }


def _again(replay: Replay) -> Receipt:
    kept = replay.answer
    return Receipt(
        kept["ref"],
        date.fromisoformat(kept["received_on"]),
        date.fromisoformat(kept["due_on"]),
    )
