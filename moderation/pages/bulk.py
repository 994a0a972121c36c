"""Decide on a selection: look at it first, then item by item, and back again."""

from collections import Counter
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from memory_core import auditing
from memory_core.actions import agreement
from memory_core.exceptions import MnemeError
from memory_core.models import Memory
from moderation.access import ConsoleRequest, needs
from moderation.actions import reviews
from moderation.forms.bulk import BulkForm, Seen
from moderation.permissions import Permission
from moderation.presenters.names import named, refusal


@require_POST
@needs(Permission.DECIDE)
def bulk(request: ConsoleRequest) -> HttpResponse:
    """The preview of a selection; with a verb the result of each item."""
    form = BulkForm(request.POST)
    if not form.is_valid():
        return render(request, "bulk/page.html", {"form": form}, status=422)
    items: list[Seen] = form.cleaned_data["items"]
    if not form.cleaned_data["verb"]:
        return _preview(request, form, items)
    results = [_decide(request, form, item) for item in items]
    done = [item.memory_id for item, said in results if not said]
    auditing.record("review.bulk", by=request.actor, decided=len(done), of=len(items))
    context = {"results": _shown(results), "done": done}
    return render(request, "bulk/done.html", context)


@require_POST
@needs(Permission.DECIDE)
def undo_bulk(request: ConsoleRequest) -> HttpResponse:
    """Take a batch back, item by item."""
    ids = [one for text in request.POST.getlist("item")[:50] if (one := _uuid(text))]
    results = []
    for memory_id in ids:
        said = ""
        try:
            reviews.undo(memory_id=memory_id, by=request.actor, now=timezone.now())
        except MnemeError as error:
            said = refusal(error)
        results.append((Seen(memory_id, 0, ""), said))
    context = {"results": _shown(results), "done": [], "is_undone": True}
    return render(request, "bulk/done.html", context)


def _preview(
    request: ConsoleRequest, form: BulkForm, items: list[Seen]
) -> HttpResponse:
    rows = _rows([item.memory_id for item in items])
    context = {
        "form": form,
        "items": [f"{one.memory_id}.{one.version}.{one.digest}" for one in items],
        "memories": rows.values(),
        "categories": Counter(
            str(named(row.category.name, "category")) for row in rows.values()
        ).most_common(),
        "sources": Counter(
            f"{row.source.get_kind_display()} {row.source.name}"
            for row in rows.values()
        ).most_common(),
        "approving": [(one.value, one.label) for one in reviews.APPROVING],
        "rejecting": [(one.value, one.label) for one in reviews.REJECTING],
    }
    return render(request, "bulk/page.html", context)


def _decide(request: ConsoleRequest, form: BulkForm, item: Seen) -> tuple[Seen, str]:
    """Return the item and why it was not decided, empty if it was."""
    verb = reviews.approve if form.cleaned_data["verb"] == "approve" else reviews.reject
    try:
        verb(
            memory_id=item.memory_id,
            version=item.version,
            digest=item.digest,
            reason=form.cleaned_data["reason"],
            user=request.user,
            by=request.actor,
            now=timezone.now(),
        )
    except MnemeError as error:
        return item, refusal(error)
    return item, ""


def _shown(results: list[tuple[Seen, str]]) -> list[tuple[Memory | None, str]]:
    rows = _rows([item.memory_id for item, _said in results])
    halves = agreement.waiting_for_second(Memory.unscoped.filter(pk__in=rows))
    half = set(halves.values_list("pk", flat=True))
    gone, waits = _("It is not there any more."), _("A second person must agree.")
    return [
        (memory, said or (waits if memory.pk in half else ""))
        if memory
        else (None, gone)
        for memory, said in ((rows.get(item.memory_id), said) for item, said in results)
    ]


def _rows(ids: list[UUID]) -> dict[UUID, Memory]:
    rows = Memory.unscoped.select_related("source", "category").filter(pk__in=ids)
    return {row.pk: row for row in rows.order_by("pk")}


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
