"""How the console looks for one person: kept in cookies of their browser."""

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from moderation.access import ConsoleRequest, needs
from moderation.forms.preferences import PreferencesForm
from moderation.permissions import Permission

YEAR = 365 * 24 * 3600


@require_http_methods(["GET", "HEAD", "POST"])
@needs(Permission.SEE_OVERVIEW)
def preferences(request: ConsoleRequest) -> HttpResponse:
    if request.method != "POST":
        form = PreferencesForm(initial=request.COOKIES)
        return render(request, "preferences/page.html", {"form": form})
    form = PreferencesForm(request.POST)
    if not form.is_valid():
        return render(request, "preferences/page.html", {"form": form}, status=422)
    response = redirect("preferences")
    for name, value in form.cleaned_data.items():
        cookie = settings.LANGUAGE_COOKIE_NAME if name == "language" else name
        if value:
            response.set_cookie(
                cookie, value, max_age=YEAR, samesite="Lax", secure=settings.TLS
            )
        else:
            response.delete_cookie(cookie, samesite="Lax")
    return response
