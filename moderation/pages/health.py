"""Health figures and background jobs."""

from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory_core.actions import copies, rescans
from memory_core.jobs import OPEN
from memory_core.models import Agent, Category, Job
from moderation.access import ConsoleRequest, needs, wants_fragment
from moderation.actions import jobs as verbs
from moderation.permissions import Permission
from moderation.presenters.health import (
    answer_times,
    behind,
    figure,
    groups,
    state_of_queues,
)
from moderation.presenters.jobs import cases_of
from moderation.presenters.measures import MEASURES, Narrowing
from moderation.presenters.proofs import proofs

PERIODS = (1, 7, 30)


@require_safe
@needs(Permission.SEE_HEALTH)
def health(request: ConsoleRequest) -> HttpResponse:
    days, now, narrowing = _days(request), timezone.now(), _narrowing(request)
    context = {
        "groups": groups(days=days, now=now, narrowing=narrowing),
        "queues": state_of_queues(now=now),
        "times": answer_times(),
        "proofs": proofs(now=now),
        **_chosen(days, narrowing),
        "alarms": copies.alarms(),
    }
    return render(request, "health/page.html", context)


@require_safe
@needs(Permission.SEE_HEALTH)
def health_figure(request: ConsoleRequest, key: str) -> HttpResponse:
    """One figure with the events behind it."""
    if key not in MEASURES:
        raise Http404
    days, now, narrowing = _days(request), timezone.now(), _narrowing(request)
    context = {
        "figure": figure(key, days=days, now=now, narrowing=narrowing),
        "events": behind(key, days=days, now=now, narrowing=narrowing),
        **_chosen(days, narrowing),
    }
    return render(request, "health/figure.html", context)


def _days(request: ConsoleRequest) -> int:
    wanted = request.GET.get("days", "")
    return int(wanted) if wanted in {str(one) for one in PERIODS} else 7


def _narrowing(request: ConsoleRequest) -> Narrowing:
    """One agent or category of the address; what there is not narrows nothing."""
    agent, category = request.GET.get("agent", ""), request.GET.get("category", "")
    return Narrowing(
        Agent.objects.filter(name=agent).first() if agent else None,
        Category.objects.filter(name=category).first() if category else None,
    )


def _chosen(days: int, narrowing: Narrowing) -> dict[str, object]:
    """Return what the filters show, and the narrowing as part of an address."""
    chosen = {"agent": narrowing.agent, "category": narrowing.category}
    names = {name: row.name for name, row in chosen.items() if row}
    return {
        "days": days,
        "periods": PERIODS,
        "narrowing": narrowing,
        "narrowed": f"&{urlencode(names)}" if names else "",
        "agents": Agent.objects.order_by("name").values_list("name", flat=True),
        "categories": Category.objects.order_by("name").values_list("name", flat=True),
    }


@require_safe
@needs(Permission.SEE_HEALTH)
def jobs(request: ConsoleRequest) -> HttpResponse:
    context = {
        "jobs": Job.objects.select_related("namespace").order_by("-created_at")[:100],
        "may_manage": Permission.MANAGE_JOBS in request.rights,
        "open_states": OPEN,
    }
    name = "jobs/_results.html" if wants_fragment(request) else "jobs/page.html"
    return render(request, name, context)


@require_POST
@needs(Permission.MANAGE_JOBS)
def rescan(request: ConsoleRequest) -> HttpResponse:
    rescans.start(by=request.actor)
    messages.success(
        request, _("Queued: all memories are screened anew in the background.")
    )
    return redirect("jobs")


@require_safe
@needs(Permission.SEE_HEALTH)
def job(request: ConsoleRequest, job_id: UUID) -> HttpResponse:
    row = get_object_or_404(Job.objects.select_related("namespace"), pk=job_id)
    return render(request, "jobs/job.html", {"job": row, "cases": cases_of(row)})


@require_POST
@needs(Permission.MANAGE_JOBS)
def cancel(request: ConsoleRequest, job_id: UUID) -> HttpResponse:
    verbs.cancel(
        job=get_object_or_404(Job, pk=job_id), by=request.actor, now=timezone.now()
    )
    messages.success(request, _("Cancelled; what was done so far stays done."))
    return redirect("jobs")
