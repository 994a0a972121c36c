"""What is decided on a request: by one person, and approved by another."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from uuid import UUID

from django.contrib.auth.models import User

from memory_core.actions import erasure
from memory_core.contracts.callers import Actor
from memory_core.exceptions import InvalidInput, TransitionRefused
from moderation.actions import erasure_letters
from moderation.actions.casework import close, log, step
from moderation.cases import OPEN, due_on, file_of, is_empty, put_file, today
from moderation.models import CaseLetter, CaseMention, CaseState, ErasureCase
from moderation.regimes import RULES, exceptions_of, grounds_of

Decision, Treatment = ErasureCase.Decision, CaseMention.Treatment
LONGEST_COOL_OFF = 72


class ApprovalRefused(TransitionRefused):
    """Somebody may not approve what they prepared, nor without its code."""

    code, title = "approval_refused", "Another person approves, and types the code"


def decide_mentions(
    *, ref: str, decided: Mapping[UUID, tuple[str, str]], by: Actor, now: datetime
) -> ErasureCase:
    """Return the request with decisions on other people's memories.

    `decided` maps a memory's id to a treatment and, to keep it, a ground. An erasure
    that waits for it goes on; what two people had approved stays as it was. Raises
    InvalidInput for another ground than the law's, TransitionRefused.
    """
    within = [CaseState.ASSESSING, CaseState.RUNNING]
    with step(ref, by=by, within=within) as case:
        decided = _that_may_be_decided(case, decided)
        grounds = exceptions_of(case.regime)
        for memory_id, (treatment, ground) in decided.items():
            if treatment not in Treatment.values:
                raise InvalidInput("Choose redact or keep.", why="mention_treatment")
            if treatment == Treatment.KEEP and ground not in grounds:
                raise InvalidInput(
                    "A memory is kept on a ground of the law.", why="mention_ground"
                )
            case.mentions.filter(memory_id=memory_id).update(
                treatment=treatment,
                ground=ground if treatment == Treatment.KEEP else "",
                decided_by=by.name,
            )
        if decided and case.state == CaseState.RUNNING:
            words = {one: treatment for one, (treatment, _) in decided.items()}
            erasure.decide_mentions(run=case.run_ref, mentions=words, by=by)
        log(case, "mentions_decided", by=by, now=now, memories=len(decided))
    return case


def propose_erasure(
    *,
    ref: str,
    ground: str,
    cool_off_hours: int,
    user: User,
    by: Actor,
    now: datetime,
) -> ErasureCase:
    """Return the request with the proposal to erase, for another person to approve.

    Raises InvalidInput for a ground that the law does not know, a cool-off of more than
    72 hours, or mentions in others' memories without a decision.
    """
    with step(ref, by=by, within=[CaseState.ASSESSING]) as case:
        if ground not in grounds_of(case.regime):
            raise InvalidInput("That is no ground for erasure.")
        if not 0 <= cool_off_hours <= LONGEST_COOL_OFF:
            raise InvalidInput("A cool-off lasts 72 hours at most.")
        if case.mentions.filter(treatment="").exists():
            raise InvalidInput(
                "Decide first on each memory that mentions the person.",
                why="mentions_open",
            )
        case.cool_off_hours = cool_off_hours
        _propose(case, Decision.ERASE, ground, user, by, now=now)
    return case


def propose_refusal(
    *, ref: str, ground: str, reasons: str, user: User, by: Actor, now: datetime
) -> ErasureCase:
    """Return the request with the proposal to refuse it, for another person.

    `reasons` are words for the person's letter. Raises InvalidInput for an exception
    that the law does not know.
    """
    with step(ref, by=by, within=[CaseState.ASSESSING]) as case:
        if ground not in exceptions_of(case.regime):
            raise InvalidInput("That is no exception of the law.")
        put_file(case, replace(file_of(case), reasons=reasons))
        _propose(case, Decision.REFUSE, ground, user, by, now=now)
    return case


def approve(
    *, ref: str, code: str, user: User, by: Actor, now: datetime
) -> ErasureCase:
    """Return the request, approved: scheduled for erasure, or refused.

    `code` is the request's reference, typed. Raises ApprovalRefused for another code
    and for whoever made the proposal, TransitionRefused.
    """
    with step(ref, by=by, within=[CaseState.AWAITING_APPROVAL]) as case:
        if code.strip().upper() != case.ref:
            raise ApprovalRefused("Type the code of this request.", why="wrong_code")
        if case.proposed_by == user:
            raise ApprovalRefused(
                "The approver must be another person than the one who proposed it.",
                why="own_proposal",
            )
        case.approved_by, case.approved_at = user, now
        log(case, "approved", by=by, now=now, decision=case.decision)
        if case.decision == Decision.REFUSE:
            close(case, CaseState.REFUSED, now=now)
            erasure_letters.write(case, CaseLetter.Kind.REFUSED, now=now)
        else:
            case.state = CaseState.SCHEDULED
            case.start_at = now + timedelta(hours=case.cool_off_hours)
    return case


def send_back(*, ref: str, by: Actor, now: datetime) -> ErasureCase:
    """Return the request, to be assessed again: not approved, or cancelled in time.

    Possible until the fence. Raises TransitionRefused.
    """
    within = [
        CaseState.AWAITING_APPROVAL,
        CaseState.SCHEDULED,
        CaseState.BLOCKED_BY_HOLD,
    ]
    with step(ref, by=by, within=within) as case:
        name = "sent_back" if case.approved_at is None else "cancelled"
        case.proposed_by, case.proposed_at = None, None
        case.approved_by, case.approved_at = None, None
        case.decision, case.ground, case.start_at = "", "", None
        case.state = CaseState.ASSESSING
        log(case, name, by=by, now=now)
    return case


def try_again(*, ref: str, by: Actor, now: datetime) -> ErasureCase:
    """Return the request, whose failed erasure goes on from where it stopped.

    Raises TransitionRefused unless it failed.
    """
    with step(ref, by=by, within=[CaseState.RUNNING]) as case:
        erasure.resume(run=case.run_ref, by=by)
        case.error = ""
        log(case, "tried_again", by=by, now=now)
    return case


def search_again(*, ref: str, by: Actor, now: datetime) -> ErasureCase:
    """Return the request, to be searched for once more; raises TransitionRefused."""
    with step(ref, by=by, within=[CaseState.ASSESSING]) as case:
        case.state = CaseState.IDENTITY_OK
        log(case, "search_again", by=by, now=now)
    return case


def close_empty(*, ref: str, by: Actor, now: datetime) -> ErasureCase:
    """Return the request, closed since nothing was found; raises TransitionRefused."""
    with step(ref, by=by, within=[CaseState.ASSESSING]) as case:
        if not is_empty(case):
            raise TransitionRefused("Something was found.", why="not_empty")
        close(case, CaseState.NO_DATA_FOUND, now=now)
        log(case, "nothing_found", by=by, now=now)
        erasure_letters.write(case, CaseLetter.Kind.NOTHING, now=now)
    return case


def extend(
    *, ref: str, reason: str, told_on: date, by: Actor, now: datetime
) -> ErasureCase:
    """Return the request with the one extension that the law allows.

    `told_on` is the day on which the person was told, before the first deadline.
    Raises InvalidInput for another day or under a law without extension,
    TransitionRefused for a second one.
    """
    with step(ref, by=by, within=OPEN) as case:
        if case.told_on or case.answered_on:
            raise TransitionRefused(
                "It was extended or answered already.", why="extended_already"
            )
        if RULES[case.regime].extension is None:
            raise InvalidInput("This law knows no extension.", why="no_extension")
        if not case.received_on <= told_on <= min(due_on(case), today(now)):
            raise InvalidInput(
                "The person must be told before the first deadline.", why="told_late"
            )
        case.told_on, case.extension_reason = told_on, reason
        log(case, "extended", by=by, now=now, reason=reason)
        erasure_letters.write(case, CaseLetter.Kind.EXTENSION, now=now)
    return case


def _that_may_be_decided(
    case: ErasureCase, decided: Mapping[UUID, tuple[str, str]]
) -> dict[UUID, tuple[str, str]]:
    """Return what is of this request; after the approval, what turned up since."""
    rows = case.mentions.all()
    if case.state == CaseState.RUNNING:
        rows = rows.filter(treatment="")
    known = set(rows.values_list("memory_id", flat=True))
    return {one: said for one, said in decided.items() if one in known}


def _propose(
    case: ErasureCase,
    decision: str,
    ground: str,
    user: User,
    by: Actor,
    *,
    now: datetime,
) -> None:
    case.decision, case.ground = decision, ground
    case.proposed_by, case.proposed_at = user, now
    case.state = CaseState.AWAITING_APPROVAL
    log(case, "proposed", by=by, now=now, decision=decision, ground=ground)
