"""Letters of a request: written from a template, changed by people, sent by them."""

from collections.abc import Iterable
from datetime import date, datetime

from memory_core.contracts.callers import Actor
from memory_core.exceptions import InvalidInput, NotFound, TransitionRefused
from moderation import letters
from moderation.actions import erasure_restriction
from moderation.actions.casework import log, step
from moderation.case_files import seal_text, unseal_text
from moderation.cases import due_on, file_of, today
from moderation.models import CaseLetter, CaseState, ErasureCase

ANSWERS = (
    CaseLetter.Kind.ERASED,
    CaseLetter.Kind.PARTLY,
    CaseLetter.Kind.REFUSED,
    CaseLetter.Kind.NOTHING,
    CaseLetter.Kind.DUPLICATE,
    CaseLetter.Kind.WITHDRAWN,
    CaseLetter.Kind.UNIDENTIFIED,
)
"""With one of these the person has the answer that the law asks for."""


def write(
    case: ErasureCase, kind: str, *, now: datetime, kept: Iterable[str] = ()
) -> CaseLetter:
    """Return a letter of that kind which waits to be sent, in place of an older draft.

    `kept` are the reasons of holds on which data stay. For use inside a step.
    """
    facts = letters.Facts(
        today=today(now),
        first_due_on=due_on(case, extended=False),
        reasons=file_of(case).reasons,
        kept=tuple(kept),
    )
    case.due_on = due_on(case)
    letter, _ = CaseLetter.objects.update_or_create(
        case=case,
        kind=kind,
        sent_on=None,
        defaults={
            "language": case.language,
            "sealed": seal_text(case.ref, letters.text_of(kind, case, facts)),
            "made_at": now,
        },
    )
    return letter


def keep(
    *,
    ref: str,
    letter_id: int,
    text: str,
    by: Actor,
    now: datetime,
    sent_on: date | None = None,
) -> CaseLetter:
    """Return the letter in these words; with a day it was sent on that day.

    An answer to the request stops its clock. Raises NotFound, TransitionRefused if it
    was sent before, InvalidInput for a day in the future or before the receipt.
    """
    with step(ref, by=by, within=tuple(CaseState)) as case:
        letter = _letter(ref, letter_id)
        letter.sealed = seal_text(ref, text)
        if sent_on:
            _send(case, letter, sent_on, by, now=now)
        letter.save()
    return letter


def text_of(letter: CaseLetter) -> str:
    """Return the words of a letter, empty once they were deleted."""
    return unseal_text(letter.case.ref, bytes(letter.sealed))


def _letter(ref: str, letter_id: int) -> CaseLetter:
    rows = CaseLetter.objects.select_for_update(of=("self",)).select_related("case")
    letter = rows.filter(case__ref=ref, pk=letter_id).first()
    if letter is None:
        raise NotFound()
    if letter.sent_on:
        raise TransitionRefused("It was sent already.", why="letter_sent")
    return letter


def _send(
    case: ErasureCase, letter: CaseLetter, day: date, by: Actor, *, now: datetime
) -> None:
    if not case.received_on <= day <= today(now):
        raise InvalidInput(
            "That is not a day between receipt and today.",
            field="sent_on",
            why="letter_day",
        )
    letter.sent_on, letter.sent_by = day, by.name
    if letter.kind in ANSWERS and case.answered_on is None:
        case.answered_on = day
    if letter.kind in ANSWERS and case.is_closed:
        erasure_restriction.end(case, by=by, now=now)  # the person knows beforehand
    log(case, "letter_sent", by=by, now=now, kind=letter.kind)
