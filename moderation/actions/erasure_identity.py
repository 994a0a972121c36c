"""Who asks: doubts stop the clock, an answer sets it going again."""

from datetime import datetime

from memory_core.contracts.callers import Actor
from moderation.actions import erasure_cases, erasure_letters
from moderation.actions.casework import close, log, step
from moderation.cases import today
from moderation.models import (
    CaseLetter,
    CaseNote,
    CasePause,
    CaseState,
    ErasureCase,
)


def doubt(*, ref: str, by: Actor, now: datetime) -> ErasureCase:
    """Return the request, which waits for proof of identity; its clock stands still.

    The pause is logged and told to the person. Raises TransitionRefused.
    """
    with step(ref, by=by, within=[CaseState.RECEIVED]) as case:
        CasePause.objects.create(case=case, started_on=today(now))
        case.state = CaseState.IDENTITY_PENDING
        log(case, "identity_doubted", by=by, now=now)
        erasure_letters.write(case, CaseLetter.Kind.IDENTITY, now=now)
    return case


def settle(
    *, ref: str, method: str, by: Actor, now: datetime, evidence: str = ""
) -> ErasureCase:
    """Return the request with its person's identity settled; the search comes next.

    `evidence` is kept apart, sealed, and deleted 30 days after the end. Raises
    TransitionRefused.
    """
    waiting = [CaseState.RECEIVED, CaseState.IDENTITY_PENDING]
    with step(ref, by=by, within=waiting) as case:
        case.pauses.filter(ended_on=None).update(ended_on=today(now))
        case.identity_method, case.identified_on = method, today(now)
        case.state = CaseState.IDENTITY_OK
        case.letters.filter(kind=CaseLetter.Kind.IDENTITY, sent_on=None).delete()
        log(case, "identity_settled", by=by, now=now, method=method)
        if evidence:
            kind = CaseNote.Kind.EVIDENCE
            erasure_cases.add_note(ref=ref, text=evidence, by=by, now=now, kind=kind)
    return case


def give_up(*, ref: str, by: Actor, now: datetime) -> ErasureCase:
    """Return the request, closed since the person could not be identified.

    Raises TransitionRefused unless proof was asked for.
    """
    with step(ref, by=by, within=[CaseState.IDENTITY_PENDING]) as case:
        case.pauses.filter(ended_on=None).update(ended_on=today(now))
        close(case, CaseState.CLOSED_UNIDENTIFIED, now=now)
        log(case, "unidentified", by=by, now=now)
        erasure_letters.write(case, CaseLetter.Kind.UNIDENTIFIED, now=now)
    return case
