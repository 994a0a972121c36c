"""The audit log: look, verify, export."""

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from memory_core import auditing
from memory_core.auditing.verify import verify
from moderation.access import ConsoleRequest, needs, wants_fragment
from moderation.forms.audit import AuditForm, PersonForm
from moderation.permissions import Permission
from moderation.presenters.audit import as_csv, listed, narrowed


@require_safe
@needs(Permission.SEE_AUDIT)
def audit(request: ConsoleRequest) -> HttpResponse:
    form = AuditForm(request.GET)
    before = request.GET.get("before", "")
    kept = request.GET.copy()
    kept.pop("before", None)
    context = {
        "form": form,
        "person_form": PersonForm(),
        "listed": listed(
            form.cleaned_data if form.is_valid() else {},
            before=int(before) if before.isdecimal() else 0,
        ),
        "kept": kept.urlencode(),
        "may_export": Permission.EXPORT_AUDIT in request.rights,
    }
    name = "audit/_results.html" if wants_fragment(request) else "audit/page.html"
    return render(request, name, context)


@require_POST
@needs(Permission.SEE_AUDIT)
def person(request: ConsoleRequest) -> HttpResponse:
    """Entries about one person: the id comes by POST, so that no URL keeps it."""
    form = PersonForm(request.POST)
    filters = {"owner": form.cleaned_data["owner"]} if form.is_valid() else {}
    context = {
        "form": AuditForm(),
        "person_form": form,
        "listed": listed(filters),
        "kept": "",
        "of_person": form.is_valid(),
    }
    return render(
        request, "audit/page.html", context, status=200 if form.is_valid() else 422
    )


@require_POST
@needs(Permission.SEE_AUDIT)
def check(request: ConsoleRequest) -> HttpResponse:
    context = {
        "form": AuditForm(),
        "person_form": PersonForm(),
        "listed": listed({}),
        "report": verify(),
        "kept": "",
    }
    return render(request, "audit/page.html", context)


@require_POST
@needs(Permission.EXPORT_AUDIT)
def export(request: ConsoleRequest) -> StreamingHttpResponse:
    form = AuditForm(request.POST)
    filters = form.cleaned_data if form.is_valid() else {}
    auditing.record("audit.export", by=request.actor)
    lines = list(as_csv(narrowed(filters)))
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="audit.csv"'
    return response
