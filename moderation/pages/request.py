"""One deletion request: what is known, and the next step of the law."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory_core.exceptions import MnemeError
from moderation.access import ConsoleRequest, needs, wants_fragment
from moderation.actions import erasure_letters
from moderation.cases import today
from moderation.forms.requests import (
    CodeForm,
    ExtensionForm,
    IdentityForm,
    LetterForm,
    ProposalForm,
    RecipientForm,
    RefusalForm,
    RemarkForm,
)
from moderation.models import CaseLetter, CaseMention, CaseRecipient, ErasureCase
from moderation.pages.request_steps import STEPS
from moderation.permissions import Permission
from moderation.presenters.refusals import refuse
from moderation.presenters.request import TABS, Mention, look
from moderation.regimes import exceptions_of


@require_safe
@needs(Permission.SEE_REQUESTS)
def detail(request: ConsoleRequest, ref: str) -> HttpResponse:
    return _page(request, _case(ref))


@require_POST
@needs(Permission.HANDLE_REQUESTS)
def act(request: ConsoleRequest, ref: str, verb: str) -> HttpResponse:
    """Take one of the steps; the page says what happened or why not."""
    case = _case(ref)
    if verb not in STEPS:
        raise Http404
    step = STEPS[verb]
    form = step.form(request.POST, case) if step.form else None
    if form is not None and not form.is_valid():
        return _page(request, case, status=422, forms={verb: form})
    try:
        step.take(request, case, form.cleaned_data if form else {})
    except MnemeError as error:
        kept = {verb: form} if form else {}
        page, status = _case(ref), error.status
        return _page(request, page, status=status, error=error, forms=kept)
    messages.success(request, str(step.done))
    return _back(ref, request)


@require_POST
@needs(Permission.HANDLE_REQUESTS)
def letter(request: ConsoleRequest, ref: str, letter_id: int) -> HttpResponse:
    """Keep a letter's words; with a day it is marked as sent."""
    case = _case(ref)
    row = get_object_or_404(case.letters, pk=letter_id)
    form = _letter_form(row, request.POST)
    if not form.is_valid():
        return _page(request, case, status=422, letters={row.pk: form}, tab="messages")
    sent_on = form.cleaned_data["sent_on"]
    try:
        erasure_letters.keep(
            ref=ref,
            letter_id=letter_id,
            text=form.cleaned_data["text"],
            sent_on=sent_on,
            by=request.actor,
            now=timezone.now(),
        )
    except MnemeError as error:
        refuse(form, error)
        return _page(
            request,
            _case(ref),
            status=error.status,
            error=error,
            letters={row.pk: form},
            tab="messages",
        )
    messages.success(request, _("Sent.") if sent_on else _("Kept."))
    return _back(ref, request, tab="messages")


def _page(
    request: ConsoleRequest,
    case: ErasureCase,
    *,
    status: int = 200,
    error: MnemeError | None = None,
    forms: Mapping[str, Form] | None = None,
    letters: Mapping[int, LetterForm] | None = None,
    tab: str = "",
) -> HttpResponse:
    """Show the request; `forms` by step and `letters` by id are as they were sent."""
    wanted = tab or request.GET.get("tab", "") or request.POST.get("tab", "")
    now = timezone.now()
    found = look(case, today=today(now))
    if error:
        _keep_typed(found.mentions, request.POST)
    context = {
        "detail": found,
        "letters": [
            (
                one,
                (letters or {}).get(one.row.pk) or _letter_form(one.row, text=one.text),
            )
            for one in found.letters
        ],
        "faults": _faults(forms or {}),
        "tab": wanted if wanted in TABS else TABS[0],
        "error": error,
        "forms": {**_blank(case, now), **(forms or {})},
        "exceptions": exceptions_of(case.regime),
        "treatments": CaseMention.Treatment.choices,
        "results": CaseRecipient.Result.choices,
        "today": today(now),
        "may_handle": Permission.HANDLE_REQUESTS in request.rights,
        "is_mine": case.proposed_by_id == request.user.pk,
    }
    name = "requests/_case.html" if wants_fragment(request) else "requests/case.html"
    return render(request, name, context, status=status)


def _faults(sent: Mapping[str, Form]) -> list[tuple[object, object]]:
    """Return what is wrong with forms, by label: some steps show only a part of one."""
    return [
        (form.fields[name].label or "", fault)
        for form in sent.values()
        for name, faults in form.errors.items()
        for fault in faults
    ]


def _letter_form(
    row: CaseLetter, sent: QueryDict | None = None, *, text: str = ""
) -> LetterForm:
    return LetterForm(
        sent,
        initial={"text": text},
        language=row.language,
        auto_id=f"letter{row.pk}_%s",
    )


def _keep_typed(mentions: Sequence[Mention], sent: QueryDict) -> None:
    """Show decisions on mentions as they were sent, though they are not stored."""
    for one in mentions:
        key = str(one.row.memory_id)
        one.row.treatment = sent.get(f"treatment-{key}", one.row.treatment)
        one.row.ground = sent.get(f"ground-{key}", one.row.ground)


def _blank(case: ErasureCase, now: datetime) -> dict[str, Form]:
    """Return the forms that the page may show, empty."""
    day = {"told_on": today(now)}
    return {
        "settle": IdentityForm(auto_id="settle_%s"),
        "propose": ProposalForm(regime=case.regime, auto_id="propose_%s"),
        "refuse": RefusalForm(regime=case.regime, auto_id="refuse_%s"),
        "approve": CodeForm(auto_id="approve_%s"),
        "extend": ExtensionForm(initial=day, auto_id="extend_%s"),
        "note": RemarkForm(auto_id="note_%s"),
        "recipient": RecipientForm(initial=day, auto_id="recipient_%s"),
    }


def _case(ref: str) -> ErasureCase:
    rows = ErasureCase.objects.select_related(
        "proposed_by", "approved_by", "duplicate_of"
    )
    return get_object_or_404(rows, ref=ref)


def _back(ref: str, request: ConsoleRequest, *, tab: str = "") -> HttpResponse:
    chosen = tab or request.POST.get("tab", "")
    answer = redirect("request", ref=ref)
    if chosen in TABS:
        answer["Location"] += f"?tab={chosen}"
    return answer
