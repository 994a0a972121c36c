"""A page that stays open asks here to stay signed in."""

from django.http import HttpResponse
from django.views.decorators.http import require_POST

from moderation.access import ConsoleRequest, needs
from moderation.permissions import Permission


@require_POST
@needs(Permission.SEE_OVERVIEW)
def stay(request: ConsoleRequest) -> HttpResponse:
    """Nothing: any answer extends the session."""
    return HttpResponse(status=204)
