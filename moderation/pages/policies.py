"""A namespace's policy of review: its versions, and back to one of them."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory_core.models import Namespace
from moderation.access import ConsoleRequest, needs
from moderation.actions import policies
from moderation.models import PolicyVersion
from moderation.permissions import Permission
from moderation.presenters.policies import changes


@require_safe
@needs(Permission.SEE_TEAM)
def versions(request: ConsoleRequest, namespace_id: int) -> HttpResponse:
    space = get_object_or_404(Namespace, pk=namespace_id)
    context = {
        "space": space,
        "versions": changes(space),
        "may_manage": Permission.MANAGE_TEAM in request.rights,
    }
    return render(request, "team/policy.html", context)


@require_POST
@needs(Permission.MANAGE_TEAM)
def roll_back(request: ConsoleRequest, version_id: int) -> HttpResponse:
    rows = PolicyVersion.objects.select_related("namespace")
    version = get_object_or_404(rows, pk=version_id)
    made = policies.roll_back(version=version, by=request.actor)
    said = _("Version %(number)d is in force.") % {"number": made.version}
    messages.success(request, said)
    return redirect("team-policy-versions", namespace_id=version.namespace_id)
