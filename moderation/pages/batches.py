"""Decide on a whole view: preview, progress, results, and back again."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory_core import jobs
from memory_core.exceptions import MnemeError
from memory_core.models import Job
from moderation.access import ConsoleRequest, needs, wants_fragment
from moderation.actions import batches, reviews
from moderation.actions.jobs import cancel as cancel_job
from moderation.forms.batches import TYPED_ABOVE, BatchForm, ChosenForm
from moderation.permissions import Permission
from moderation.presenters import batches as presenter
from moderation.presenters.names import refusal


@needs(Permission.DECIDE)
def selection(request: ConsoleRequest) -> HttpResponse:
    """The preview of all that the address chooses; a post decides on it."""
    if request.method != "POST":
        return _preview(request, BatchForm())
    form = BatchForm(request.POST)
    if not form.is_valid():
        return _preview(request, form, status=422)
    data = form.cleaned_data
    try:
        job = batches.start(
            chosen=ChosenForm(request.GET).chosen(),
            as_of=data["as_of"],
            number=data["number"],
            verb=data["verb"],
            reason=data["why"],
            user=request.user,
            by=request.actor,
            now=timezone.now(),
        )
    except MnemeError as error:
        return _preview(request, form, status=error.status, error=error)
    return redirect("batch", job_id=job.pk)


@require_safe
@needs(Permission.DECIDE)
def batch(request: ConsoleRequest, job_id: UUID) -> HttpResponse:
    job = _job(job_id)
    context = {
        "batch": presenter.batch(job),
        "is_open": job.state in jobs.OPEN,
        "undoing": batches.undoing_of(job),
        "may_undo": job.params["verb"] != "undo" and job.counts.get(batches.DONE),
    }
    name = "batches/_batch.html" if wants_fragment(request) else "batches/batch.html"
    return render(request, name, context)


@require_POST
@needs(Permission.DECIDE)
def cancel(request: ConsoleRequest, job_id: UUID) -> HttpResponse:
    cancel_job(job=_job(job_id), by=request.actor, now=timezone.now())
    messages.success(request, _("Cancelled; what was done so far stays done."))
    return redirect("batch", job_id=job_id)


@require_POST
@needs(Permission.DECIDE)
def undo(request: ConsoleRequest, job_id: UUID) -> HttpResponse:
    job, now = _job(job_id), timezone.now()
    try:
        made = batches.undo(job=job, user=request.user, by=request.actor, now=now)
    except MnemeError as error:
        messages.error(request, refusal(error))
        return redirect("batch", job_id=job_id)
    return redirect("batch", job_id=made.pk)


def _preview(
    request: ConsoleRequest,
    form: BatchForm,
    *,
    status: int = 200,
    error: MnemeError | None = None,
) -> HttpResponse:
    context = {
        "selection": presenter.selection(
            chosen=ChosenForm(request.GET).chosen(),
            user_id=request.user.pk,
            now=timezone.now(),
        ),
        "form": form,
        "error": error,
        "typed_above": TYPED_ABOVE,
        "approving": [(one.value, one.label) for one in reviews.APPROVING],
        "rejecting": [(one.value, one.label) for one in reviews.REJECTING],
    }
    return render(request, "batches/selection.html", context, status=status)


def _job(job_id: UUID) -> Job:
    return get_object_or_404(Job, pk=job_id, kind=batches.KIND)
