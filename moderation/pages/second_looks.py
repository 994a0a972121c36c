"""A share of decisions, made again by others; leads settle what differs."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory_core.exceptions import MnemeError
from moderation.access import ConsoleRequest, needs
from moderation.actions import second_looks as verbs
from moderation.actions import settling
from moderation.actions.reviews import Reason
from moderation.models import SecondLook
from moderation.permissions import Permission
from moderation.presenters import second_looks as presenter
from moderation.presenters.refusals import refusal

REASONS = {
    SecondLook.Verdict.APPROVED: Reason.ACCURATE,
    SecondLook.Verdict.REJECTED: Reason.UNTRUE,
}


@require_safe
@needs(Permission.DECIDE)
def second_looks(request: ConsoleRequest) -> HttpResponse:
    return _page(request)


@require_POST
@needs(Permission.DECIDE)
def answer(request: ConsoleRequest, look_id: int) -> HttpResponse:
    look, verdict = _look(look_id), request.POST.get("verdict", "")
    if verdict not in REASONS:
        return _page(request, status=422)
    try:
        verbs.answer(look=look, verdict=verdict, by=request.actor, now=timezone.now())
    except MnemeError as error:
        messages.error(request, refusal(error))
    else:
        messages.success(request, _("Noted. A lead settles it if the two differ."))
    return redirect("second-looks")


@require_POST
@needs(Permission.SETTLE)
def settle(request: ConsoleRequest, look_id: int) -> HttpResponse:
    look, verdict = _look(look_id), request.POST.get("verdict", "")
    if verdict not in REASONS:
        return _page(request, status=422)
    try:
        settling.settle(
            look=look,
            verdict=verdict,
            reason=REASONS[SecondLook.Verdict(verdict)],
            user=request.user,
            by=request.actor,
            now=timezone.now(),
        )
    except MnemeError as error:
        messages.error(request, refusal(error))
    else:
        messages.success(request, _("Settled."))
    return redirect("second-looks")


def _page(request: ConsoleRequest, *, status: int = 200) -> HttpResponse:
    now, settles = timezone.now(), Permission.SETTLE in request.rights
    context = {
        "open": presenter.open_looks(who=request.actor.name, now=now),
        "disputes": presenter.disputes(now=now) if settles else [],
    }
    return render(request, "second/page.html", context, status=status)


def _look(look_id: int) -> SecondLook:
    return get_object_or_404(SecondLook, pk=look_id)
