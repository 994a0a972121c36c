"""Half-lives: the list, one category with its preview, changes, versions."""

from dataclasses import asdict
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory_core.actions import backtests
from memory_core.actions.categories import settings_of
from memory_core.exceptions import MnemeError
from memory_core.models import Category, CategoryOverride, CategoryVersion, Namespace
from moderation.access import ConsoleRequest, needs, wants_fragment
from moderation.actions import half_lives
from moderation.forms.categories import TuneForm
from moderation.models import CategoryChange
from moderation.permissions import Permission
from moderation.presenters.categories import changes, preview
from moderation.presenters.refusals import refusal
from moderation.presenters.tuning import backtest, week
from moderation.size import is_large

VERSIONS = 20
PARTS = ("count", "week")
"""What a large store is only asked for by name, in the query string."""


@require_safe
@needs(Permission.SEE_CATEGORIES)
def categories(request: ConsoleRequest) -> HttpResponse:
    rows = Category.objects.prefetch_related("overrides__namespace").order_by("pk")
    waiting = CategoryChange.objects.filter(state=CategoryChange.State.WAITING)
    context = {
        "categories": rows,
        "waiting": waiting.select_related("category", "namespace").order_by("pk"),
    }
    return render(request, "categories/page.html", context)


@require_safe
@needs(Permission.SEE_CATEGORIES)
def category(request: ConsoleRequest, name: str) -> HttpResponse:
    """The page; with values in the query string their effect is previewed."""
    row = get_object_or_404(Category, name=name)
    space = _namespace(request.GET.get("namespace", ""))
    current = settings_of(row, space)
    filled = "half_life" in request.GET
    form = TuneForm(
        request.GET if filled else {**asdict(current), "namespace": _name(space)}
    )
    status = 200 if form.is_valid() else 422
    if wants_fragment(request) and "week" in request.GET:
        return render(request, "categories/_week.html", _week(row, space))
    if wants_fragment(request):
        shown = {
            "category": row,
            "may_tune": _may_tune(request),
            **_effect(row, form, counts="count" in _counted(request)),
        }
        return render(request, "categories/_preview.html", shown, status=status)
    return _page(request, row, form, space, status=status)


@require_POST
@needs(Permission.TUNE_CATEGORIES)
def tune(request: ConsoleRequest, name: str) -> HttpResponse:
    row, form = get_object_or_404(Category, name=name), TuneForm(request.POST)
    if not form.is_valid():
        space = _namespace(request.POST.get("namespace", ""))
        return _page(request, row, form, space, status=422)
    saved = half_lives.save(
        category=row,
        settings=form.settings(),
        by=request.actor,
        note=form.cleaned_data["note"],
        now=timezone.now(),
        namespace=form.where(),
    )
    return _saved(request, saved, row.name)


@require_POST
@needs(Permission.TUNE_CATEGORIES)
def roll_back(request: ConsoleRequest, version_id: int) -> HttpResponse:
    kept = get_object_or_404(
        CategoryVersion.objects.select_related("category", "namespace"), pk=version_id
    )
    saved = half_lives.roll_back(version=kept, by=request.actor, now=timezone.now())
    return _saved(request, saved, kept.category.name)


@require_POST
@needs(Permission.TUNE_CATEGORIES)
def decide(request: ConsoleRequest, change_id: int, verb: str) -> HttpResponse:
    """Confirm or decline a change that waits for a second person."""
    rows = CategoryChange.objects.select_related("category", "namespace")
    change = get_object_or_404(rows, pk=change_id)
    decision = half_lives.confirm if verb == "confirm" else half_lives.decline
    try:
        decision(change=change, by=request.actor, now=timezone.now())
    except MnemeError as error:
        space = change.namespace
        form = TuneForm({**change.values, "namespace": _name(space)})
        messages.error(request, refusal(error))
        return _page(request, change.category, form, space, status=409)
    said = _("Confirmed: it is in force.") if verb == "confirm" else _("Declined.")
    messages.success(request, said)
    return redirect(_address(change.category.name, change.namespace))


@require_POST
@needs(Permission.TUNE_CATEGORIES)
def back_test(request: ConsoleRequest, name: str) -> HttpResponse:
    """Start asking the kept queries again; the page then shows what comes of it."""
    row, form = get_object_or_404(Category, name=name), TuneForm(request.POST)
    if not form.is_valid():
        space = _namespace(request.POST.get("namespace", ""))
        return _page(request, row, form, space, status=422)
    space, settings = form.where(), form.settings()
    backtests.start(category=row, settings=settings, by=request.actor, namespace=space)
    return redirect(_address(name, space, _values(form)))


def _saved(
    request: ConsoleRequest, saved: CategoryVersion | CategoryChange, name: str
) -> HttpResponse:
    if isinstance(saved, CategoryVersion):
        said = _("Version %(number)d is in force.") % {"number": saved.version}
        messages.success(request, said)
    else:
        messages.warning(
            request,
            _("It drops %(share)s %% of the category: a second person must confirm it.")
            % {"share": f"{saved.share * 100:.0f}"},
        )
    return redirect(_address(name, saved.namespace))


def _page(
    request: ConsoleRequest,
    row: Category,
    form: TuneForm,
    space: Namespace | None,
    *,
    status: int = 200,
) -> HttpResponse:
    rows = row.versions.select_related("namespace").order_by("-pk")[:VERSIONS]
    own = CategoryOverride.objects.filter(category=row, namespace=space).first()
    waiting = CategoryChange.objects.filter(
        category=row, state=CategoryChange.State.WAITING
    )
    counted = _counted(request)
    context = {
        "category": row,
        "form": form,
        "versions": changes(list(rows)),
        "namespaces": Namespace.objects.order_by("name"),
        "space": space,
        **_week(row, space, counts="week" in counted),
        "waiting": waiting.select_related("namespace").order_by("pk"),
        "rests_until": (own or row).archives_after,
        "now": timezone.now(),
        "me": request.actor.name,
        "may_tune": _may_tune(request),
        **_effect(row, form, counts="count" in counted),
    }
    return render(request, "categories/category.html", context, status=status)


def _effect(row: Category, form: TuneForm, *, counts: bool) -> dict[str, object]:
    """Return the preview and the back-test of the values in the form."""
    if not form.is_valid():
        return {"preview": None, "backtest": None}
    settings, space = form.settings(), form.where()
    values, now = _values(form), timezone.now()
    spread = reverse("category-spread", args=[row.name])
    return {
        "preview": preview(row, settings, now=now, namespace=space, counts=counts),
        "backtest": backtest(row, settings, space),
        "address": _address(row.name, space, values),
        "count_address": _address(row.name, space, values | {"count": "1"}),
        "spread_address": f"{spread}?{urlencode(values | {'namespace': _name(space)})}",
    }


def _week(
    row: Category, space: Namespace | None, *, counts: bool = True
) -> dict[str, object]:
    """Return what recalls say of the half-life, or where that is told."""
    address = _address(row.name, space, {"week": "1"})
    found = week(row, space, now=timezone.now()) if counts else None
    return {"week": found, "week_address": address}


def _counted(request: ConsoleRequest) -> set[str]:
    """Return the parts for whose figures, over all memories, the answer waits."""
    return set(PARTS) & set(request.GET) if is_large() else set(PARTS)


def _values(form: TuneForm) -> dict[str, str]:
    names = ("half_life", "unit", "floor", "bonus_cap", "archive_below")
    return {name: str(form.data.get(name, "")) for name in names}


def _address(
    name: str, space: Namespace | None, values: dict[str, str] | None = None
) -> str:
    """Return the address of a category, with values in the form if there are any."""
    query = {**(values or {}), **({"namespace": space.name} if space else {})}
    page = reverse("category", args=[name])
    return f"{page}?{urlencode(query)}" if query else page


def _may_tune(request: ConsoleRequest) -> bool:
    return Permission.TUNE_CATEGORIES in request.rights


def _namespace(name: str) -> Namespace | None:
    return Namespace.objects.filter(name=name).first() if name else None


def _name(space: Namespace | None) -> str:
    return space.name if space else ""
