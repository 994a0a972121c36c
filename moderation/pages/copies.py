"""Copies outside the database: how old they are, and whether they can be read."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory_core.actions import copies as verbs
from memory_core.models import Copy
from moderation.access import ConsoleRequest, needs
from moderation.permissions import Permission
from moderation.presenters.copies import catalogue


@require_safe
@needs(Permission.SEE_HEALTH)
def copies(request: ConsoleRequest) -> HttpResponse:
    context = {
        "catalogue": catalogue(),
        "alarms": verbs.alarms(),
        "may_manage": Permission.MANAGE_JOBS in request.rights,
    }
    return render(request, "copies/page.html", context)


@require_POST
@needs(Permission.MANAGE_JOBS)
def take(request: ConsoleRequest) -> HttpResponse:
    verbs.take(by=request.actor)
    messages.success(request, _("Today's snapshot is being written."))
    return redirect("copies")


@require_POST
@needs(Permission.MANAGE_JOBS)
def verify(request: ConsoleRequest, copy_id: UUID) -> HttpResponse:
    verbs.verify(copy=get_object_or_404(Copy, pk=copy_id), by=request.actor)
    messages.success(request, _("The copy is being read back."))
    return redirect("copies")
