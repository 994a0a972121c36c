"""A session lasts as long as its person is at work, not as long as a page is open."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

UNATTENDED = "X-Unattended"
"""Sent with what a page asks by itself (static/js/session.js)."""


class ActivityMiddleware:
    """Begin a session's time anew with every request, but those nobody made."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not is_unattended(request):
            request.session.modified = True
        return self.get_response(request)


def is_unattended(request: HttpRequest) -> bool:
    """Return whether the page asked by itself."""
    return UNATTENDED in request.headers
