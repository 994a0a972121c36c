"""Decide on a selection: look at it first, then item by item, and back again."""

from collections import Counter
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from memory_core.actions import agreement
from memory_core.models import Memory
from moderation.access import ConsoleRequest, needs
from moderation.actions import bulk as batch
from moderation.actions import reviews
from moderation.forms.bulk import MOST, BulkForm
from moderation.parameters import uuid_or_none
from moderation.permissions import Permission
from moderation.presenters.names import named
from moderation.presenters.refusals import refusal


@require_POST
@needs(Permission.DECIDE)
def bulk(request: ConsoleRequest) -> HttpResponse:
    """The preview of a selection; with a verb the result of each item."""
    form = BulkForm(request.POST)
    if not form.is_valid():
        return render(request, "bulk/page.html", {"form": form}, status=422)
    items: list[batch.Seen] = form.cleaned_data["items"]
    if not form.cleaned_data["verb"]:
        return _preview(request, form, items)
    found = batch.decide_all(
        items=items,
        verb=form.cleaned_data["verb"],
        reason=form.cleaned_data["reason"],
        user=request.user,
        by=request.actor,
        now=timezone.now(),
    )
    done = [memory_id for memory_id, refused in found.items() if not refused]
    return render(request, "bulk/done.html", {"results": _shown(found), "done": done})


@require_POST
@needs(Permission.DECIDE)
def undo_bulk(request: ConsoleRequest) -> HttpResponse:
    """Take a batch back, item by item."""
    ids = [
        one
        for text in request.POST.getlist("item")[:MOST]
        if (one := uuid_or_none(text))
    ]
    found = batch.undo_all(
        ids=ids, user=request.user, by=request.actor, now=timezone.now()
    )
    return render(request, "bulk/undone.html", {"results": _shown(found)})


def _preview(
    request: ConsoleRequest, form: BulkForm, items: list[batch.Seen]
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


def _shown(found: batch.Refusals) -> list[tuple[Memory | None, str]]:
    rows = _rows(list(found))
    halves = agreement.waiting_for_second(Memory.unscoped.filter(pk__in=rows))
    half = set(halves.values_list("pk", flat=True))
    gone, waits = _("It is not there any more."), _("A second person must agree.")
    return [
        (rows[pk], refusal(error) if error else (waits if pk in half else ""))
        if pk in rows
        else (None, gone)
        for pk, error in found.items()
    ]


def _rows(ids: list[UUID]) -> dict[UUID, Memory]:
    rows = Memory.unscoped.select_related("source", "category").filter(pk__in=ids)
    return {row.pk: row for row in rows.order_by("pk")}
