"""The week's questions on quality."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory_core.exceptions import MnemeError
from moderation.access import ConsoleRequest, needs
from moderation.actions import samples as verbs
from moderation.models import QualitySample
from moderation.permissions import Permission
from moderation.presenters.refusals import refusal
from moderation.presenters.samples import week

ANSWERS = {"right": True, "wrong": False}


@require_safe
@needs(Permission.DECIDE)
def samples(request: ConsoleRequest) -> HttpResponse:
    return render(request, "samples/page.html", {"week": week(now=timezone.now())})


@require_POST
@needs(Permission.DECIDE)
def answer(request: ConsoleRequest, sample_id: int) -> HttpResponse:
    sample = get_object_or_404(QualitySample, pk=sample_id)
    said = ANSWERS.get(request.POST.get("answer", ""))
    if said is None:
        context = {"week": week(now=timezone.now())}
        return render(request, "samples/page.html", context, status=422)
    try:
        verbs.answer(sample=sample, is_right=said, by=request.actor, now=timezone.now())
    except MnemeError as error:
        messages.error(request, refusal(error))
    else:
        messages.success(request, _("Noted; the figures of health count it."))
    return redirect("samples")
