"""Where memories come from: record and trust."""

from django.contrib import messages
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory_core.actions import blocks
from memory_core.actions import sources as actions
from memory_core.contracts.enums import Status
from memory_core.models import Memory, Namespace, Source
from moderation.access import ConsoleRequest, needs, wants_fragment
from moderation.forms.sources import TrustForm
from moderation.parameters import number_or
from moderation.permissions import Permission
from moderation.presenters.sources import listed, refused_writes

SHOWN = 10


@require_safe
@needs(Permission.SEE_SOURCES)
def sources(request: ConsoleRequest) -> HttpResponse:
    chosen = request.GET
    context = {
        "listed": listed(
            namespace=chosen.get("namespace", ""),
            state=chosen.get("state", ""),
            after=number_or(chosen.get("after", ""), 0),
        ),
        "namespaces": Namespace.objects.order_by("name").values_list("name", flat=True),
        "chosen": chosen,
    }
    name = "sources/_results.html" if wants_fragment(request) else "sources/page.html"
    return render(request, name, context)


@require_safe
@needs(Permission.SEE_SOURCES)
def source(request: ConsoleRequest, source_id: int) -> HttpResponse:
    return _page(request, _row(source_id))


@require_POST
@needs(Permission.SET_TRUST)
def trust(request: ConsoleRequest, source_id: int) -> HttpResponse:
    row, form = _row(source_id), TrustForm(request.POST)
    if not form.is_valid():
        return _page(request, row, trust_form=form, status=422)
    actions.set_trust(source=row, trust=form.cleaned_data["trust"], by=request.actor)
    messages.success(request, _("Recalls heed the new trust from now on."))
    return redirect("source", source_id=source_id)


def _page(
    request: ConsoleRequest,
    row: Source,
    *,
    trust_form: TrustForm | None = None,
    status: int = 200,
) -> HttpResponse:
    now, written = timezone.now(), Memory.unscoped.filter(source=row)
    counts = written.values_list("status").annotate(number=Count("pk"))
    context = {
        "source": row,
        "standing": blocks.standing(row, now=now),
        "counts": {Status(one).word: number for one, number in counts},
        "latest": written.order_by("-pk")[:SHOWN],
        "refused": refused_writes(row, now=now),
        "trust_form": trust_form or TrustForm(initial={"trust": row.trust}),
        "may_trust": Permission.SET_TRUST in request.rights,
    }
    return render(request, "source/page.html", context, status=status)


def _row(source_id: int) -> Source:
    return get_object_or_404(Source.objects.select_related("namespace"), pk=source_id)
