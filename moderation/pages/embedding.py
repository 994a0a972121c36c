"""Embedding models: which one answers, and a change to another while people ask."""

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from memory_core.actions import models as verbs
from memory_core.embedding import EmbedderUnavailable
from memory_core.exceptions import MnemeError
from moderation.access import ConsoleRequest, needs, wants_fragment
from moderation.forms.embedding import ChangeForm
from moderation.permissions import Permission
from moderation.presenters.embedding import look
from moderation.presenters.refusals import refusal

STEPS: dict[str, Callable[..., object]] = {
    "pause": verbs.pause,
    "resume": verbs.resume,
    "cancel": verbs.cancel,
    "switch": verbs.switch_over,
    "back": verbs.go_back,
}
BEGUN = gettext_lazy("Begun. The vectors are made in the background.")
DONE = {
    "pause": gettext_lazy("Paused. What was embedded so far is kept."),
    "resume": gettext_lazy("It goes on."),
    "cancel": gettext_lazy("Given up. What was embedded stays until it is deleted."),
    "switch": gettext_lazy("Queued: it switches once what came last is embedded."),
    "back": BEGUN,
}


@require_safe
@needs(Permission.SEE_HEALTH)
def models(request: ConsoleRequest) -> HttpResponse:
    return _page(request, ChangeForm())


@require_POST
@needs(Permission.MANAGE_JOBS)
def change(request: ConsoleRequest) -> HttpResponse:
    """Begin to fill the space of another model."""
    form = ChangeForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    wanted, hold = form.cleaned_data["model"], form.cleaned_data["hold"]
    return _done(
        request,
        lambda: verbs.change(by=request.actor, model=wanted, switch=not hold),
        BEGUN,
        form,
    )


@require_POST
@needs(Permission.MANAGE_JOBS)
def step(request: ConsoleRequest, verb: str) -> HttpResponse:
    """Pause, resume, cancel or switch the change, or go back to the model before."""
    if verb not in STEPS:
        raise Http404
    return _done(request, lambda: STEPS[verb](by=request.actor), DONE[verb])


@require_POST
@needs(Permission.MANAGE_JOBS)
def drop(request: ConsoleRequest) -> HttpResponse:
    """Delete a model's vectors."""
    name = request.POST.get("model", "")
    said = gettext_lazy("Its vectors are deleted.")
    return _done(request, lambda: verbs.drop(by=request.actor, model=name), said)


def _done(
    request: ConsoleRequest,
    act: Callable[[], object],
    said: str | Promise,
    form: ChangeForm | None = None,
) -> HttpResponse:
    try:
        act()
    except EmbedderUnavailable as error:
        why = _("This model cannot be used: %(detail)s") % {"detail": error.detail}
        messages.error(request, why)
        return _page(request, form or ChangeForm(), status=409)
    except MnemeError as error:
        messages.error(request, refusal(error))
        return _page(request, form or ChangeForm(), status=409)
    messages.success(request, str(said))
    return redirect("models")


def _page(
    request: ConsoleRequest, form: ChangeForm, *, status: int = 200
) -> HttpResponse:
    context = {
        "models": look(),
        "form": form,
        "may_manage": Permission.MANAGE_JOBS in request.rights,
    }
    fragment = wants_fragment(request)
    name = "embedding/_state.html" if fragment else "embedding/page.html"
    return render(request, name, context, status=status)
