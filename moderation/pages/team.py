"""People, roles, and what namespaces hold for review."""

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
        form.add_error("username", error.detail)
        return _page(request, form, status=422)
    return _page(request, OperatorForm(), made=user, password=password)


@require_POST
@needs(Permission.MANAGE_TEAM)
def set_policy(request: ConsoleRequest, namespace_id: int) -> HttpResponse:
    form = PolicyForm(request.POST)
    if not form.is_valid():
        return _page(request, OperatorForm(), status=422)
    policies.set_review(
        namespace=get_object_or_404(Namespace, pk=namespace_id),
        by=request.actor,
        **form.cleaned_data,
    )
    messages.success(request, _("The policy holds for what is saved from now on."))
    return redirect("team")


def _page(
    request: ConsoleRequest, form: OperatorForm, *, status: int = 200, **more: object
) -> HttpResponse:
    context = {
        "people": User.objects.prefetch_related("groups").order_by("username"),
        "roles": list(Role),
        "matrix": [
            (right, [right in MATRIX[role] for role in Role]) for right in Permission
        ],
        "policies": [
            (
                space,
                PolicyForm(
                    initial=policies.values_of(space),
                    auto_id=f"id_{space.pk}_%s",
                ),
            )
            for space in Namespace.objects.order_by("name")
        ],
        "reasons": Reason.choices,
        "form": form,
        "may_manage": Permission.MANAGE_TEAM in request.rights,
        **more,
    }
    return render(request, "team/page.html", context, status=status)
