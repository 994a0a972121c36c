"""Deletion requests: the list, a new one, one of them."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from memory_core.exceptions import MnemeError
from moderation.access import ConsoleRequest, needs, wants_fragment
from moderation.actions import erasure_cases
from moderation.cases import today
from moderation.forms.requests import NewRequestForm
from moderation.models import CaseState, Regime
from moderation.parameters import uuid_or_none
from moderation.permissions import Permission
from moderation.presenters.refusals import refuse
from moderation.presenters.requests import listed


@require_safe
@needs(Permission.SEE_REQUESTS)
def requests(request: ConsoleRequest) -> HttpResponse:
    chosen = request.GET
    context = {
        "listed": listed(
            view=chosen.get("view", ""),
            today=today(timezone.now()),
            user_id=request.user.pk,
            regime=chosen.get("law", ""),
            state=chosen.get("state", ""),
            after=uuid_or_none(chosen.get("after", "")),
        ),
        "chosen": chosen,
        "laws": Regime.choices,
        "states": CaseState.choices,
        "may_handle": Permission.HANDLE_REQUESTS in request.rights,
    }
    name = "requests/_results.html" if wants_fragment(request) else "requests/page.html"
    return render(request, name, context)


@require_http_methods(["GET", "HEAD", "POST"])
@needs(Permission.HANDLE_REQUESTS)
def new(request: ConsoleRequest) -> HttpResponse:
    now = timezone.now()
    if request.method != "POST":
        language = "zh-hans" if (get_language() or "").startswith("zh") else "en"
        form = NewRequestForm(initial={"received_on": today(now), "language": language})
        return render(request, "requests/new.html", {"form": form})
    form = NewRequestForm(request.POST)
    if form.is_valid():
        try:
            case = erasure_cases.open_case(
                intake=form.intake(), by=request.actor, now=now
            )
        except MnemeError as error:
            refuse(form, error)
        else:
            messages.success(request, _("The request is noted; its clock runs."))
            return redirect("request", ref=case.ref)
    return render(request, "requests/new.html", {"form": form}, status=422)
