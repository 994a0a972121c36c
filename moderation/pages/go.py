"""From anywhere to a page, or to one thing by its name or number."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from moderation.access import ConsoleRequest, needs, wants_fragment
from moderation.navigation import matching
from moderation.permissions import Permission
from moderation.presenters.finding import things

LONGEST = 100


@require_safe
@needs(Permission.SEE_OVERVIEW)
def go(request: ConsoleRequest) -> HttpResponse:
    """What a text may mean; straight there if it is named exactly, or alone."""
    text = request.GET.get("q", "").strip()[:LONGEST]
    pages = matching(request.rights, text)
    found = things(text, request.rights) if text else []
    context = {"q": text, "pages": pages, "found": found}
    if wants_fragment(request):
        return render(request, "go/_results.html", context)
    urls = [page["url"] for page in pages if page["is_exact"]]
    urls += [hit.url for hit in found if hit.is_exact]
    if not urls and len(pages) + len(found) == 1:
        urls = [one["url"] for one in pages] + [one.url for one in found]
    if text and urls:
        return redirect(urls[0])
    return render(request, "go/page.html", context)
