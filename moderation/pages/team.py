"""People, roles, and what namespaces hold for review."""

from collections.abc import Mapping

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory_core.exceptions import MnemeError
from memory_core.models import Namespace
from moderation.access import ConsoleRequest, needs
from moderation.actions import policies, team
from moderation.actions.reviews import Reason
from moderation.forms.team import OperatorForm, PolicyForm
from moderation.permissions import MATRIX, Permission
from moderation.presenters.refusals import refuse
from moderation.roles import Role


@require_safe
@needs(Permission.SEE_TEAM)
def people(request: ConsoleRequest) -> HttpResponse:
    return _page(request, OperatorForm())


@require_POST
@needs(Permission.MANAGE_TEAM)
def add(request: ConsoleRequest) -> HttpResponse:
    form = OperatorForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    try:
        user, password = team.add_operator(**form.cleaned_data, by=request.actor)
    except MnemeError as error:
        refuse(form, error)
        return _page(request, form, status=422)
    return _page(request, OperatorForm(), made=user, password=password)


@require_POST
@needs(Permission.MANAGE_TEAM)
def set_policy(request: ConsoleRequest, namespace_id: int) -> HttpResponse:
    space = get_object_or_404(Namespace, pk=namespace_id)
    form = PolicyForm(request.POST, auto_id=_ids_of(space))
    if not form.is_valid():
        return _page(request, OperatorForm(), changed={space.pk: form}, status=422)
    policies.set_review(
        namespace=space,
        by=request.actor,
        **form.cleaned_data,
    )
    messages.success(request, _("The policy holds for what is saved from now on."))
    return redirect("team")


def _page(
    request: ConsoleRequest,
    form: OperatorForm,
    *,
    changed: Mapping[int, PolicyForm] | None = None,
    status: int = 200,
    **more: object,
) -> HttpResponse:
    """Show the team; `changed` are policies as they were sent, by namespace."""
    context = {
        "people": User.objects.prefetch_related("groups").order_by("username"),
        "roles": list(Role),
        "matrix": [
            (right, [right in MATRIX[role] for role in Role]) for right in Permission
        ],
        "policies": [
            (space, (changed or {}).get(space.pk) or _policy(space))
            for space in Namespace.objects.order_by("name")
        ],
        "reasons": Reason.choices,
        "form": form,
        "may_manage": Permission.MANAGE_TEAM in request.rights,
        **more,
    }
    return render(request, "team/page.html", context, status=status)


def _policy(space: Namespace) -> PolicyForm:
    return PolicyForm(initial=policies.values_of(space), auto_id=_ids_of(space))


def _ids_of(space: Namespace) -> str:
    return f"id_{space.pk}_%s"
