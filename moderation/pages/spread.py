"""Who wrote and how old is what a half-life would drop: a part of the preview."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from memory_core.models import Category
from moderation.access import ConsoleRequest, needs, wants_fragment
from moderation.forms.categories import TuneForm
from moderation.permissions import Permission
from moderation.presenters.spread import spread


@require_safe
@needs(Permission.SEE_CATEGORIES)
def category_spread(request: ConsoleRequest, name: str) -> HttpResponse:
    """Return the part of the values in the query string, or a page with it."""
    row, form = get_object_or_404(Category, name=name), TuneForm(request.GET)
    context = {"category": row, "back": f"?{request.GET.urlencode()}", "spread": None}
    status = 422
    if form.is_valid():
        status, space = 200, form.where()
        context["spread"] = spread(
            row, form.settings(), now=timezone.now(), namespace=space
        )
    alone = "categories/spread.html"
    template = "categories/_spread.html" if wants_fragment(request) else alone
    return render(request, template, context, status=status)
