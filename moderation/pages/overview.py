"""The first page: what waits, since when, and whether all parts are well."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from memory_core.actions import copies
from moderation.access import ConsoleRequest, needs
from moderation.permissions import Permission
from moderation.presenters.overview import look


@require_GET
@needs(Permission.SEE_OVERVIEW)
def overview(request: ConsoleRequest) -> HttpResponse:
    may_see = Permission.SEE_HEALTH in request.rights
    context = {
        "look": look(user_id=request.user.pk, now=timezone.now()),
        "alarms": copies.alarms() if may_see else [],
    }
    return render(request, "overview/page.html", context)
