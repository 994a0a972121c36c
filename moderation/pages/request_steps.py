"""The steps that people take with a request: each a form, an action, a sentence."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from moderation.access import ConsoleRequest
from moderation.actions import (
    erasure_cases,
    erasure_decisions,
    erasure_identity,
    erasure_recipients,
    erasure_restriction,
)
from moderation.cases import today
from moderation.forms.requests import (
    CodeForm,
    DuplicateForm,
    ExtensionForm,
    IdentityForm,
    ProposalForm,
    RecipientForm,
    RefusalForm,
    RemarkForm,
)
from moderation.models import ErasureCase
from moderation.parameters import uuid_or_none

Values = Mapping[str, Any]
Take = Callable[[ConsoleRequest, ErasureCase, Values], object]
MakeForm = Callable[[QueryDict, ErasureCase], forms.Form]


@dataclass(frozen=True, slots=True)
class Step:
    """One step: the action with what the form gives, and what is said then."""

    take: Take
    done: str | Promise
    form: MakeForm | None = None


def _plain(action: Callable[..., object], *, as_user: bool = False) -> Take:
    """Return the step that hands the form's values to an action as they are."""

    def take(request: ConsoleRequest, case: ErasureCase, values: Values) -> object:
        who = {"user": request.user} if as_user else {}
        return action(
            ref=case.ref, by=request.actor, now=timezone.now(), **who, **values
        )

    return take


def _of(form: type[forms.Form]) -> MakeForm:
    return lambda sent, case: form(sent)


def _decide_mentions(
    request: ConsoleRequest, case: ErasureCase, values: Values
) -> object:
    decided = {}
    for memory_id in request.POST.getlist("memory"):
        treatment = request.POST.get(f"treatment-{memory_id}", "")
        if treatment and (known := uuid_or_none(memory_id)):
            decided[known] = (treatment, request.POST.get(f"ground-{memory_id}", ""))
    return erasure_decisions.decide_mentions(
        ref=case.ref, decided=decided, by=request.actor, now=timezone.now()
    )


def _tell_recipient(
    request: ConsoleRequest, case: ErasureCase, values: Values
) -> object:
    ref, by, now = case.ref, request.actor, timezone.now()
    if not values["recipient"]:
        return erasure_recipients.add(ref=ref, name=values["name"], by=by, now=now)
    return erasure_recipients.tell(
        ref=ref,
        recipient=values["recipient"],
        result=values["result"],
        told_on=values["told_on"] or today(now),
        by=by,
        now=now,
    )


STEPS: dict[str, Step] = {
    "doubt": Step(
        _plain(erasure_identity.doubt), _("The clock stands still; write the letter.")
    ),
    "settle": Step(
        _plain(erasure_identity.settle),
        _("Now all stores are searched."),
        _of(IdentityForm),
    ),
    "give-up": Step(
        _plain(erasure_identity.give_up), _("Closed; the letter is ready.")
    ),
    "search-again": Step(
        _plain(erasure_decisions.search_again), _("Searching once more.")
    ),
    "try-again": Step(_plain(erasure_decisions.try_again), _("It goes on.")),
    "mentions": Step(_decide_mentions, _("Decided.")),
    "propose": Step(
        _plain(erasure_decisions.propose_erasure, as_user=True),
        _("Proposed. Another person has to approve it."),
        lambda sent, case: ProposalForm(sent, regime=case.regime),
    ),
    "refuse": Step(
        _plain(erasure_decisions.propose_refusal, as_user=True),
        _("Proposed. Another person has to approve it."),
        lambda sent, case: RefusalForm(sent, regime=case.regime),
    ),
    "approve": Step(
        _plain(erasure_decisions.approve, as_user=True), _("Approved."), _of(CodeForm)
    ),
    "send-back": Step(
        _plain(erasure_decisions.send_back), _("It is to be assessed again.")
    ),
    "close-empty": Step(
        _plain(erasure_decisions.close_empty), _("Closed; the letter is ready.")
    ),
    "extend": Step(
        _plain(erasure_decisions.extend), _("Extended, once."), _of(ExtensionForm)
    ),
    "withdraw": Step(_plain(erasure_cases.withdraw), _("Closed; the letter is ready.")),
    "duplicate": Step(
        _plain(erasure_cases.close_as_duplicate),
        _("Closed as a duplicate; the letter is ready."),
        _of(DuplicateForm),
    ),
    "restrict": Step(
        _plain(erasure_restriction.restrict),
        _("Restricted: it is kept, and no agent sees or changes it."),
    ),
    "unrestrict": Step(_plain(erasure_restriction.lift), _("No longer restricted.")),
    "note": Step(_plain(erasure_cases.add_note), _("Noted."), _of(RemarkForm)),
    "recipient": Step(_tell_recipient, _("Noted."), _of(RecipientForm)),
}
