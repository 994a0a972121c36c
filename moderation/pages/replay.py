"""Where a memory that waits would have been recalled: a part of its page."""

from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from memory_core.actions.agreement import UNDECIDED
from memory_core.actions.reviews_replay import replay
from memory_core.models import Memory
from moderation.access import ConsoleRequest, needs, wants_fragment
from moderation.permissions import Permission


@require_safe
@needs(Permission.DECIDE)
def recalls(request: ConsoleRequest, memory_id: UUID) -> HttpResponse:
    rows = Memory.unscoped.select_related("owner").filter(status__in=UNDECIDED)
    memory = rows.filter(pk=memory_id).first()
    if memory is None:
        raise Http404
    is_shut = memory.owner.is_shut
    context = {
        "memory": memory,
        "is_shut": is_shut,
        "replay": None if is_shut else replay(memory, now=timezone.now()),
    }
    name = "review/_recalls.html" if wants_fragment(request) else "review/recalls.html"
    return render(request, name, context)
