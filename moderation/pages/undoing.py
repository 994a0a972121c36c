"""Take back what one token or one source wrote since a moment: look first."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from memory_core.actions import undoing
from memory_core.contracts.undoing import Undoing
from memory_core.models import Memory, Source
from moderation.access import ConsoleRequest, needs
from moderation.forms.undoing import UndoForm
from moderation.parameters import number_or
from moderation.permissions import Permission

SHOWN = 20
FATES = (
    ("rejected", gettext_lazy("Added since: will be rejected")),
    ("brought_back", gettext_lazy("Replaced or swallowed by those: come back")),
    ("rolled_back", gettext_lazy("Changed since: get their earlier text")),
    ("left_alone", gettext_lazy("Changed by others too: stay as they are")),
)


@dataclass(frozen=True, slots=True)
class Group:
    """Memories that share a fate: how many, and the first of them."""

    name: str | Promise
    count: int
    memories: list[Memory]


@require_http_methods(["GET", "HEAD", "POST"])
@needs(Permission.EDIT_MEMORIES)
def undo(request: ConsoleRequest) -> HttpResponse:
    """The preview; a POST with the same values does it."""
    if request.method == "POST":
        form = UndoForm(request.POST)
        if form.is_valid():
            done = undoing.undo_since(by=request.actor, dry_run=False, **form.asked())
            number = sum(len(getattr(done, name)) for name, _name in FATES[:3])
            messages.success(
                request,
                _("Taken back; %(number)d memories moved.") % {"number": number},
            )
            return redirect("memories")
        return _page(request, form, status=422)
    if "since" in request.GET:
        form = UndoForm(request.GET)
        return _page(request, form, status=200 if form.is_valid() else 422)
    midnight = timezone.now().replace(hour=0, minute=0)
    return _page(request, UndoForm(initial={**request.GET.dict(), "since": midnight}))


def _page(
    request: ConsoleRequest, form: UndoForm, *, status: int = 200
) -> HttpResponse:
    groups = None
    if form.is_bound and form.is_valid():
        groups = _groups(undoing.undo_since(by=request.actor, **form.asked()))
    source = number_or(str(form["source"].value() or ""), 0)
    context = {
        "form": form,
        "groups": groups,
        "source": Source.objects.filter(pk=source).first(),
        "token_prefix": form["token_prefix"].value() or "",
    }
    return render(request, "undoing/page.html", context, status=status)


def _groups(found: Undoing) -> list[Group]:
    groups = []
    for fate, name in FATES:
        ids = list(getattr(found, fate))
        rows = Memory.unscoped.filter(pk__in=ids[:SHOWN]).order_by("pk")
        groups.append(Group(name, len(ids), list(rows)))
    return groups
