"""Runs of consolidation, and conversations that are read again."""

from datetime import timedelta

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from memory_core.actions import consolidation as verbs
from memory_core.actions import encoding
from memory_core.consolidation.run import KIND
from memory_core.exceptions import NotFound
from memory_core.models import Job
from moderation.access import ConsoleRequest, needs
from moderation.forms.consolidation import AgainForm, RunForm
from moderation.permissions import Permission

RUNS = 30


@require_safe
@needs(Permission.SEE_HEALTH)
def runs(request: ConsoleRequest) -> HttpResponse:
    return _page(request)


@require_POST
@needs(Permission.MANAGE_JOBS)
def start(request: ConsoleRequest) -> HttpResponse:
    """Queue a run; its page tells what it does."""
    form = RunForm(request.POST)
    if not form.is_valid():
        return _page(request, run_form=form, status=422)
    try:
        run = verbs.start_everywhere(by=request.actor, **form.cleaned_data)
    except NotFound:
        messages.error(request, _("There is no namespace yet."))
        return _page(request, status=409)
    return redirect("job", job_id=run)


@require_POST
@needs(Permission.MANAGE_JOBS)
def encode_again(request: ConsoleRequest) -> HttpResponse:
    """Have kept conversations read once more by today's encoder."""
    form = AgainForm(request.POST)
    if not form.is_valid():
        return _page(request, again_form=form, status=422)
    count = encoding.again(
        by=request.actor,
        since=timezone.now() - timedelta(days=form.cleaned_data["days"]),
        namespace=form.cleaned_data["namespace"],
    )
    said = ngettext(
        "%(number)d stretch of conversation is read again within a minute.",
        "%(number)d stretches of conversation are read again within a minute.",
        count,
    )
    messages.success(request, said % {"number": count})
    return redirect("consolidation")


def _page(
    request: ConsoleRequest, *, status: int = 200, **forms: object
) -> HttpResponse:
    rows = Job.objects.filter(kind=KIND).select_related("namespace")
    context = {
        "runs": rows.order_by("-created_at")[:RUNS],
        "run_form": RunForm(),
        "again_form": AgainForm(),
        "may_manage": Permission.MANAGE_JOBS in request.rights,
        **forms,
    }
    return render(request, "consolidation/page.html", context, status=status)
