"""The audit log: look, verify, export."""

from typing import Any

from django.http import HttpResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from moderation.access import ConsoleRequest, needs, wants_fragment
from moderation.actions import audit_checks, audit_exports
from moderation.forms.audit import AuditForm, PersonForm
from moderation.parameters import number_or
from moderation.permissions import Permission
from moderation.presenters.audit import as_csv, listed, narrowed


@require_safe
@needs(Permission.SEE_AUDIT)
def audit(request: ConsoleRequest) -> HttpResponse:
    form = AuditForm(request.GET)
    filters = form.cleaned_data if form.is_valid() else {}
    kept = request.GET.copy()
    kept.pop("before", None)
    return _page(
        request,
        form=form,
        listed=listed(filters, before=_before(request.GET)),
        kept=kept.urlencode(),
    )


@require_POST
@needs(Permission.SEE_AUDIT)
def person(request: ConsoleRequest) -> HttpResponse:
    """Entries about one person: the id comes by POST, so that no URL keeps it."""
    form = PersonForm(request.POST)
    if not form.is_valid():
        return _page(request, status=422, person_form=form)
    owner = form.cleaned_data["owner"]
    found = listed({"owner": owner}, before=_before(request.POST))
    return _page(request, person_form=form, listed=found, owner=owner)


@require_http_methods(["GET", "HEAD", "POST"])
@needs(Permission.SEE_AUDIT)
def check(request: ConsoleRequest) -> HttpResponse:
    """How the latest verification of the chain goes; posted, it begins a new one."""
    if request.method == "POST":
        audit_checks.order(by=request.actor, now=timezone.now())
        return redirect("audit")
    if not wants_fragment(request):
        return redirect("audit")
    return render(request, "audit/_check.html", {"check": audit_checks.latest()})


@require_POST
@needs(Permission.EXPORT_AUDIT)
def export(request: ConsoleRequest) -> StreamingHttpResponse:
    form = AuditForm(request.POST)
    filters = form.cleaned_data if form.is_valid() else {}
    pages = audit_exports.export(rows=narrowed(filters), by=request.actor)
    lines = as_csv(pages)
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="audit.csv"'
    return response


def _page(request: ConsoleRequest, *, status: int = 200, **more: Any) -> HttpResponse:
    """Show the log from its newest entry and empty forms, but for what is in `more`."""
    context = {
        "form": AuditForm(),
        "person_form": PersonForm(),
        "may_export": Permission.EXPORT_AUDIT in request.rights,
        **more,
    }
    if "listed" not in context:
        context["listed"] = listed({})
    if wants_fragment(request):
        return render(request, "audit/_results.html", context, status=status)
    context["check"] = audit_checks.latest()
    return render(request, "audit/page.html", context, status=status)


def _before(sent: QueryDict) -> int:
    return number_or(sent.get("before", ""), 0)
