"""Browse memories by exact filters, or recall them as an agent would."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from moderation.access import ConsoleRequest, needs, wants_fragment
from moderation.forms.memories import BrowseForm, RecallForm
from moderation.parameters import uuid_or_none
from moderation.permissions import Permission
from moderation.presenters.memories import browse
from moderation.presenters.recall import recalled


@require_safe
@needs(Permission.SEE_MEMORIES)
def memories(request: ConsoleRequest) -> HttpResponse:
    form = BrowseForm(request.GET)
    filters = form.cleaned_data if form.is_valid() else {}
    kept = request.GET.copy()
    after = kept.pop("after", [""])[-1]
    context = {
        "form": form,
        "browsed": browse(filters, after=uuid_or_none(after)),
        "kept": kept.urlencode(),
    }
    name = "memories/_results.html" if wants_fragment(request) else "memories/page.html"
    return render(request, name, context)


@require_safe
@needs(Permission.SEE_MEMORIES)
def recall(request: ConsoleRequest) -> HttpResponse:
    form = RecallForm(request.GET or None)
    answer = None
    if form.is_bound and form.is_valid():
        answer = recalled(form.cleaned_data, by=request.actor)
    context = {"form": form, "answer": answer}
    name = "recall/_results.html" if wants_fragment(request) else "recall/page.html"
    status = 422 if form.is_bound and not form.is_valid() else 200
    return render(request, name, context, status=status)
