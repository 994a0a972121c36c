"""Requests to be forgotten: how they come in, and how they end without an erasure."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from django.conf import settings

from memory_core import isolation
from memory_core.contracts.callers import Actor
from memory_core.contracts.erasure import Identifier
from memory_core.exceptions import InvalidInput, NotFound
from memory_core.keys import tombstones
from moderation import case_files, deadlines
from moderation.actions import erasure_letters, erasure_restriction
from moderation.actions.casework import BEFORE_THE_FENCE, close, log, step
from moderation.case_files import CaseFile
from moderation.cases import others_of, put_file, today
from moderation.models import (
    CLOSED,
    CaseIdentifier,
    CaseLetter,
    CaseNote,
    CaseState,
    ErasureCase,
)
from moderation.regimes import RULES, Regime

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # nothing that is read for another one
CODE = 6

Channel, Requester = ErasureCase.Channel, ErasureCase.Requester


@dataclass(frozen=True, slots=True)
class Intake:
    """What is known of a request when it comes.

    `received_on` is the day of receipt, None for today; `identifiers` name the person,
    at least one of them; `name` and `contact` are of whoever asks.
    """

    identifiers: tuple[Identifier, ...]
    channel: str
    regime: str = Regime.GDPR
    requester: str = Requester.SUBJECT
    language: str = "en"
    received_on: date | None = None
    name: str = ""
    contact: str = ""


def open_case(*, intake: Intake, by: Actor, now: datetime) -> ErasureCase:
    """Return the new request; its clock runs from the day of receipt.

    Raises InvalidInput without an identifier or for a receipt in the future.
    """
    case = _new(intake, by, now=now)
    with isolation.transaction_for(by):
        case.save(force_insert=True)
        _remember(case, intake.identifiers)
        log(case, "received", by=by, now=now, channel=case.channel, regime=case.regime)
    return case


def greet(*, ref: str, by: Actor, now: datetime) -> ErasureCase:
    """Return a new request with its acknowledgement.

    The person's data is restricted if the controller wants so. One that an agent passed
    on is closed if an older one about the person is open.
    """
    with step(ref, by=by, within=[CaseState.RECEIVED]) as case:
        if not case.letters.exists():
            erasure_letters.write(case, CaseLetter.Kind.RECEIPT, now=now)
        older = others_of(case).exclude(state__in=CLOSED).filter(pk__lt=case.pk).last()
        if case.channel == Channel.AGENT and older:
            close_as_duplicate(ref=ref, of=older.ref, by=by, now=now)
            case.refresh_from_db()
        elif settings.RESTRICT_ON_REQUEST and not case.restricted_at:
            erasure_restriction.begin(case, by=by, now=now)
    return case


def close_as_duplicate(*, ref: str, of: str, by: Actor, now: datetime) -> ErasureCase:
    """Return the request, closed since another one about the person is open.

    Raises NotFound for an unknown one, TransitionRefused after the fence.
    """
    with step(ref, by=by, within=BEFORE_THE_FENCE) as case:
        first = others_of(case).exclude(state__in=CLOSED).filter(ref=of).first()
        if first is None:
            raise NotFound(
                "No other open request about this person has that code.",
                why="no_such_request",
            )
        case.duplicate_of = first
        if case.restricted_at:
            _hand_on_restriction(case, first.ref, by=by, now=now)
        close(case, CaseState.DUPLICATE, now=now)
        log(case, "duplicate", by=by, now=now, of=first.ref)
        erasure_letters.write(case, CaseLetter.Kind.DUPLICATE, now=now)
    return case


def withdraw(*, ref: str, by: Actor, now: datetime) -> ErasureCase:
    """Return the request, taken back by the person; raises TransitionRefused."""
    with step(ref, by=by, within=BEFORE_THE_FENCE) as case:
        close(case, CaseState.WITHDRAWN, now=now)
        log(case, "withdrawn", by=by, now=now)
        erasure_letters.write(case, CaseLetter.Kind.WITHDRAWN, now=now)
    return case


def add_note(
    *,
    ref: str,
    text: str,
    by: Actor,
    now: datetime,
    kind: str = CaseNote.Kind.NOTE,
) -> CaseNote:
    """Return the new remark on a request."""
    with step(ref, by=by, within=tuple(CaseState)) as case:
        note = CaseNote.objects.create(
            case=case,
            kind=kind,
            author=by.name,
            sealed=case_files.seal_text(case.ref, text),
            created_at=now,
        )
        log(case, "note", by=by, now=now, kind=kind)
    return note


def _hand_on_restriction(
    case: ErasureCase, to: str, *, by: Actor, now: datetime
) -> None:
    """Have the other request restrict what this one did."""
    with step(to, by=by) as other:
        if not other.restricted_at and other.state in BEFORE_THE_FENCE:
            erasure_restriction.begin(other, by=by, now=now)
    erasure_restriction.end(case, by=by, now=now)


def _new(intake: Intake, by: Actor, *, now: datetime) -> ErasureCase:
    received = intake.received_on or today(now)
    if not intake.identifiers:
        raise InvalidInput(
            "Name the person by at least one identifier.", why="nobody_named"
        )
    if received > today(now):
        raise InvalidInput(
            "The day of receipt lies in the future.",
            field="received_on",
            why="future_day",
        )
    case = ErasureCase(
        ref=_new_ref(),
        regime=intake.regime,
        channel=intake.channel,
        requester=intake.requester,
        language=intake.language,
        created_at=now,
        created_by=by.name,
        received_on=received,
        due_on=deadlines.due(
            received, RULES[intake.regime].period, holidays=settings.HOLIDAYS
        ),
    )
    pairs = tuple((one.kind.value, one.value) for one in intake.identifiers)
    put_file(case, CaseFile(pairs, name=intake.name, contact=intake.contact))
    return case


def _new_ref() -> str:
    """Return a random reference that is easily read out and typed: `ER-7K3M9Q`."""
    return "ER-" + "".join(secrets.choice(LETTERS) for _ in range(CODE))


def _remember(case: ErasureCase, identifiers: Iterable[Identifier]) -> None:
    CaseIdentifier.objects.bulk_create(
        CaseIdentifier(
            case=case, kind=one.kind.value, digest=found.digest, key_id=found.kid
        )
        for one in identifiers
        for found in tombstones.digests_of(one.kind.value, one.value)
    )
