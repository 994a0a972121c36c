"""A job over single memories that people watch, stop and take back."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory_core import jobs
from memory_core.exceptions import MnemeError
from memory_core.models import Job
from moderation.access import ConsoleRequest, needs, wants_fragment
from moderation.actions.jobs import cancel as cancel_job
from moderation.permissions import Permission
from moderation.presenters.courses import Course
from moderation.presenters.refusals import refusal

View = Callable[..., HttpResponseBase]
DONE = {"done", "half"}
"""What is counted of what can be taken back."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of such jobs: who may see them, their pages, and how one is taken back.

    `address` names the page of a job, `page_of_one` that of a memory, `templates` the
    folder of `course.html` and `_course.html`; `undoing_of` returns the job that takes
    another back.
    """

    job_kind: str
    permission: Permission
    address: str
    page_of_one: str
    templates: str
    present: Callable[[Job], Course]
    undo: Callable[..., Job]
    undoing_of: Callable[[Job], Job | None]


def pages_of(kind: Kind) -> tuple[View, View, View]:
    """Return the views: of one job, of stopping it and of taking it back."""

    def job_of(job_id: UUID) -> Job:
        return get_object_or_404(Job, pk=job_id, kind=kind.job_kind)

    @require_safe
    @needs(kind.permission)
    def show(request: ConsoleRequest, job_id: UUID) -> HttpResponse:
        job = job_of(job_id)
        context: dict[str, Any] = {
            "course": kind.present(job),
            "is_open": job.state in jobs.OPEN,
            "undoing": kind.undoing_of(job),
            "may_undo": "undoes" not in job.params and not DONE.isdisjoint(job.counts),
            "address": kind.address,
            "page_of_one": kind.page_of_one,
        }
        part = "_course" if wants_fragment(request) else "course"
        return render(request, f"{kind.templates}/{part}.html", context)

    @require_POST
    @needs(kind.permission)
    def cancel(request: ConsoleRequest, job_id: UUID) -> HttpResponse:
        cancel_job(job=job_of(job_id), by=request.actor, now=timezone.now())
        messages.success(request, _("Cancelled; what was done so far stays done."))
        return redirect(kind.address, job_id=job_id)

    @require_POST
    @needs(kind.permission)
    def undo(request: ConsoleRequest, job_id: UUID) -> HttpResponse:
        job, now = job_of(job_id), timezone.now()
        try:
            made = kind.undo(job=job, user=request.user, by=request.actor, now=now)
        except MnemeError as error:
            messages.error(request, refusal(error))
            return redirect(kind.address, job_id=job_id)
        return redirect(kind.address, job_id=made.pk)

    return show, cancel, undo
