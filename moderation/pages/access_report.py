"""The access report: all that is held about a person, to read or as a file."""

import json
from dataclasses import asdict

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from moderation.access import ConsoleRequest, needs
from moderation.actions import access_reports
from moderation.forms.access_report import PersonForm
from moderation.permissions import Permission


@require_http_methods(["GET", "HEAD", "POST"])
@needs(Permission.HANDLE_REQUESTS)
def page(request: ConsoleRequest) -> HttpResponse:
    """The form; a POST shows the report, so that no address names a person."""
    if request.method != "POST":
        return render(request, "access/page.html", {"form": PersonForm()})
    form = PersonForm(request.POST)
    if not form.is_valid():
        return render(request, "access/page.html", {"form": form}, status=422)
    made = access_reports.make(
        subject=form.subject(), by=request.actor, now=timezone.now()
    )
    return render(request, "access/page.html", {"form": form, "report": made})


@require_POST
@needs(Permission.HANDLE_REQUESTS)
def file(request: ConsoleRequest) -> HttpResponse:
    """The report as JSON."""
    form = PersonForm(request.POST)
    if not form.is_valid():
        return render(request, "access/page.html", {"form": form}, status=422)
    made = access_reports.make(
        subject=form.subject(), by=request.actor, now=timezone.now()
    )
    text = json.dumps(asdict(made), default=str, ensure_ascii=False, indent=2)
    answer = HttpResponse(text, content_type="application/json; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="access-report.json"'
    return answer
