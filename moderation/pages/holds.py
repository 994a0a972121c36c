"""Legal holds: what stands, place one, release one."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory_core.actions import holds as actions
from memory_core.exceptions import MnemeError
from memory_core.models import LegalHold
from moderation.access import ConsoleRequest, needs
from moderation.forms.holds import HoldForm, ReleaseForm
from moderation.permissions import Permission
from moderation.presenters.refusals import refuse

MOST = 200


@require_safe
@needs(Permission.SEE_REQUESTS)
def holds(request: ConsoleRequest) -> HttpResponse:
    return _page(request, HoldForm())


@require_POST
@needs(Permission.HANDLE_REQUESTS)
def place(request: ConsoleRequest) -> HttpResponse:
    form = HoldForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    try:
        actions.place_hold(by=request.actor, **form.cleaned_data)
    except MnemeError as error:
        refuse(form, error)
        return _page(request, form, status=422)
    messages.success(request, _("The hold stands; nothing in its reach is deleted."))
    return redirect("holds")


@require_POST
@needs(Permission.HANDLE_REQUESTS)
def release(request: ConsoleRequest, hold_id: int) -> HttpResponse:
    form = ReleaseForm(request.POST)
    if not form.is_valid():
        return _page(request, HoldForm(), release_form=form, status=422)
    try:
        actions.release_hold(
            hold=hold_id, reason=form.cleaned_data["reason"], by=request.actor
        )
    except MnemeError as error:
        return _page(request, HoldForm(), status=error.status, error=error)
    messages.success(request, _("Released. Erasures that waited for it go on."))
    return redirect("holds")


def _page(
    request: ConsoleRequest,
    form: HoldForm,
    *,
    release_form: ReleaseForm | None = None,
    status: int = 200,
    error: MnemeError | None = None,
) -> HttpResponse:
    rows = LegalHold.objects.select_related("owner", "namespace")
    context = {
        "standing": rows.filter(released_at=None).order_by("-pk")[:MOST],
        "released": rows.filter(released_at__isnull=False).order_by("-released_at")[
            :20
        ],
        "form": form,
        "release_form": release_form or ReleaseForm(),
        "error": error,
        "now": timezone.now(),
        "may_handle": Permission.HANDLE_REQUESTS in request.rights,
    }
    return render(request, "holds/page.html", context, status=status)
