"""What waits for a person, as a list."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from memory_core.contracts.enums import SourceKind
from memory_core.models import Namespace
from moderation.access import ConsoleRequest, needs, wants_fragment
from moderation.forms.batches import ChosenForm
from moderation.parameters import uuid_or_none
from moderation.permissions import Permission
from moderation.presenters import queue as presenter
from moderation.presenters.clusters import By
from moderation.presenters.clusters import clusters as presenter_of_clusters


@require_GET
@needs(Permission.DECIDE)
def queue(request: ConsoleRequest) -> HttpResponse:
    now = timezone.now()
    context = {
        "queue": presenter.page(
            chosen=ChosenForm(request.GET).chosen(),
            user_id=request.user.pk,
            now=now,
            after=uuid_or_none(request.GET.get("after", "")),
        ),
        "now": now,
        "namespaces": Namespace.objects.order_by("name").values_list("name", flat=True),
        "kinds": SourceKind.choices,
    }
    name = "queue/_results.html" if wants_fragment(request) else "queue/page.html"
    return render(request, name, context)


@require_GET
@needs(Permission.DECIDE)
def clusters(request: ConsoleRequest) -> HttpResponse:
    """What waits, by what it has in common: the words, or the source and the reason."""
    by: By = "words" if request.GET.get("by") == "words" else "source"
    context = {"by": by, "clusters": presenter_of_clusters(by=by)}
    return render(request, "queue/clusters.html", context)
