"""Moving out: exports that people order, with their parts and checksums."""

from uuid import UUID

from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from memory_core.actions import exports as verbs
from memory_core.contracts.enums import JobState
from memory_core.exceptions import NotFound
from memory_core.models import Job
from moderation.access import ConsoleRequest, needs, wants_fragment
from moderation.forms.moving import ExportForm
from moderation.pages.moving import overview
from moderation.parameters import number_or
from moderation.permissions import Permission

LINES = "application/x-ndjson"


@require_POST
@needs(Permission.MOVE_MEMORIES)
def order(request: ConsoleRequest) -> HttpResponse:
    form = ExportForm(request.POST)
    if not form.is_valid():
        return overview(request, export_form=form, status=422)
    job = verbs.order(by=request.actor, **form.cleaned_data)
    return redirect("moving-out", job.pk)


@require_safe
@needs(Permission.MOVE_MEMORIES)
def moving_out(request: ConsoleRequest, job_id: UUID) -> HttpResponse:
    job = _job(job_id)
    context = {
        "job": job,
        "manifest": verbs.manifest_of(job),
        "is_running": job.state in (JobState.QUEUED, JobState.RUNNING),
    }
    if not wants_fragment(request):
        return render(request, "moving/out.html", context)
    answer = render(request, "moving/_file.html", context)
    if not context["is_running"]:
        answer["HX-Refresh"] = "true"
    return answer


@require_safe
@needs(Permission.MOVE_MEMORIES)
def download(request: ConsoleRequest, job_id: UUID) -> StreamingHttpResponse:
    """The whole file, or the lines of one part of it (`?part=`)."""
    job, wanted = _job(job_id), request.GET.get("part", "")
    part = number_or(wanted, None)
    if wanted and part is None:
        raise Http404
    try:
        pieces = verbs.content(job=job, by=request.actor, part=part)
    except NotFound:
        raise Http404 from None
    name = f"mneme-{job.created_at:%Y-%m-%d}{'' if part is None else f'-{part}'}.jsonl"
    response = StreamingHttpResponse(pieces, content_type=LINES)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _job(job_id: UUID) -> Job:
    try:
        return verbs.find(job_id=job_id)
    except NotFound:
        raise Http404 from None
