"""Moving in: a file is uploaded, described, looked at, tried, imported."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory_core.actions import moving as verbs
from memory_core.contracts.enums import JobState
from memory_core.exceptions import InvalidInput, MnemeError
from memory_core.models import Job
from memory_core.snapshots import ordered, uploads
from moderation.access import ConsoleRequest, needs, wants_fragment
from moderation.forms.moving import DescriptionForm, ExportForm, UploadForm
from moderation.permissions import Permission
from moderation.presenters import moving as shown
from moderation.presenters.refusals import refusal, refuse

LISTED = 20
BY_SUFFIX = {"csv": "csv", "yaml": "yaml", "yml": "yaml", "jsonl": "mneme"}
RUNNING = (JobState.QUEUED, JobState.RUNNING)


@require_safe
@needs(Permission.MOVE_MEMORIES)
def moving(request: ConsoleRequest) -> HttpResponse:
    return overview(request)


@require_POST
@needs(Permission.MOVE_MEMORIES)
def upload(request: ConsoleRequest) -> HttpResponse:
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return overview(request, upload_form=form, status=422)
    file = form.cleaned_data["file"]
    job = verbs.upload(
        name=file.name, pieces=file.chunks(), by=request.actor, now=timezone.now()
    )
    return redirect("moving-in", job.pk)


@require_safe
@needs(Permission.MOVE_MEMORIES)
def moving_in(request: ConsoleRequest, job_id: UUID) -> HttpResponse:
    """One import, wherever it stands; the fragment is its state while it runs."""
    job = _job(job_id)
    if wants_fragment(request):
        answer = render(request, "moving/_state.html", _state(job))
        if job.state not in RUNNING:
            answer["HX-Refresh"] = "true"
        return answer
    return _page(request, job)


@require_POST
@needs(Permission.MOVE_MEMORIES)
def describe(request: ConsoleRequest, job_id: UUID) -> HttpResponse:
    job, form = _job(job_id), DescriptionForm(request.POST)
    if not form.is_valid():
        return _page(request, job, form=form, status=422)
    try:
        verbs.describe(
            job=job,
            said=form.said(),
            namespace=form.cleaned_data["namespace"],
            age=form.cleaned_data["age"],
            by=request.actor,
        )
    except InvalidInput as error:
        refuse(form, error)
        return _page(request, job, form=form, status=422)
    except MnemeError as error:
        return _refused(request, job, error, form=form)
    return redirect("moving-in", job.pk)


@require_POST
@needs(Permission.MOVE_MEMORIES)
def begin(request: ConsoleRequest, job_id: UUID) -> HttpResponse:
    job = _job(job_id)
    is_trial = request.POST.get("verb") != "import"
    try:
        verbs.begin(job=job, dry_run=is_trial, by=request.actor)
    except MnemeError as error:
        return _refused(request, job, error)
    return redirect("moving-in", job.pk)


@require_POST
@needs(Permission.MOVE_MEMORIES)
def give_up(request: ConsoleRequest, job_id: UUID) -> HttpResponse:
    verbs.give_up(job=_job(job_id), by=request.actor, now=timezone.now())
    messages.success(request, _("Given up; the uploaded file is deleted."))
    return redirect("moving")


@require_safe
@needs(Permission.MOVE_MEMORIES)
def quarantine(request: ConsoleRequest, job_id: UUID) -> HttpResponseBase:
    """The lines that were put aside, with the reason of each."""
    path = uploads.quarantine_of(_job(job_id).pk)
    if not path.exists():
        raise Http404
    return FileResponse(
        path.open("rb"),
        as_attachment=True,
        filename="quarantine.jsonl",
        content_type="application/x-ndjson",
    )


def overview(
    request: ConsoleRequest,
    *,
    upload_form: UploadForm | None = None,
    export_form: ExportForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Return the page with the forms and what was moved lately."""
    jobs = Job.objects.select_related("namespace").order_by("-created_at")
    exports = jobs.filter(kind=ordered.KIND, params__people=True)
    context = {
        "upload_form": upload_form or UploadForm(),
        "export_form": export_form or ExportForm(),
        "imports": jobs.filter(kind=uploads.KIND)[:LISTED],
        "exports": exports[:LISTED],
        "days": uploads.KEPT.days,
    }
    return render(request, "moving/page.html", context, status=status)


def _job(job_id: UUID) -> Job:
    return get_object_or_404(Job, pk=job_id, kind=uploads.KIND)


def _page(
    request: ConsoleRequest,
    job: Job,
    *,
    form: DescriptionForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context = _state(job)
    if job.state == JobState.PAUSED:
        context["columns"], rows = shown.columns(job, _system(job, form))
        context["form"] = form or DescriptionForm(
            initial=_initial(job, context["columns"], rows)
        )
        context |= _sample(job)
    return render(request, "moving/in.html", context, status=status)


def _state(job: Job) -> dict[str, Any]:
    phase = uploads.phase_of(job)
    context: dict[str, Any] = {
        "job": job,
        "phase": phase,
        "is_running": job.state in RUNNING,
        "is_trial": job.params.get("dry_run"),
    }
    if phase in (uploads.LOOKED, uploads.OVER) and (report := uploads.report_of(job)):
        context["report"] = report
        context["faults"] = report.quarantined[: shown.MOST_FAULTS]
        if phase == uploads.LOOKED:
            context["changes"] = shown.changes(job, report)
    if phase == uploads.OVER:
        context["has_quarantine"] = uploads.quarantine_of(job.pk).exists()
    return context


def _sample(job: Job) -> dict[str, Any]:
    if uploads.phase_of(job) == uploads.UPLOADED:
        return {}
    try:
        return {"samples": shown.samples(job)}
    except InvalidInput as error:
        return {"unreadable": refusal(error)}


def _system(job: Job, form: DescriptionForm | None) -> str:
    named = form.data.get("system") if form else job.params["said"].get("system")
    suffix = job.params["name"].rpartition(".")[2].lower()
    return str(named or BY_SUFFIX.get(suffix, "json"))


def _initial(job: Job, columns: list[str], rows: str) -> dict[str, Any]:
    """Return what was said before; at first a guess at the kind of file."""
    params, said = job.params, dict(job.params["said"])
    said["system"] = said.get("system") or _system(job, None)
    if mapping := said.get("mapping"):
        said["mapping"] = shown.as_text(mapping)
    else:
        said["mapping"] = shown.suggested_mapping(columns, rows)
    said["moment"] = str(said.get("moment", ""))[:10]
    return said | {"namespace": params["namespace"], "age": params.get("age", "touch")}


def _refused(
    request: ConsoleRequest,
    job: Job,
    error: MnemeError,
    *,
    form: DescriptionForm | None = None,
) -> HttpResponse:
    messages.error(request, refusal(error))
    return _page(request, job, form=form, status=409)
