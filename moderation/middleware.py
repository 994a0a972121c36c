"""Each page is one transaction with the console's rights; none is in restore mode."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.dateparse import parse_datetime

from memory_core import isolation
from memory_core.ledger import mode

# Answered by the API (its actions open their own transactions) or without a database.
ELSEWHERE = ("/v1/", "/compat/", "/static/", "/healthz", "/readyz", "/metrics")
ALIVE = "/healthz"  # the process lives; a manager of processes must not end it
OWN_PAGE = "/restore/"
AGAIN_SECONDS = 10


class ConsoleTransactionMiddleware:
    """Run a page's request, sessions and sign-in included, as `mneme_console`.

    An answer of 500 and above takes its changes back.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path.startswith(ELSEWHERE):
            return self.get_response(request)
        try:
            with isolation.console_transaction():
                response = self.get_response(request)
                if response.status_code >= 500:
                    raise _Failed(response)
        except _Failed as failure:
            return failure.response
        return response


class RestoreModeMiddleware:
    """Answer nobody while a restored database has people in it who were erased.

    The restore page is the answer to everything, with status 503; it is shown by
    itself at its own address. No database is asked.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not mode.is_on() or request.path.startswith(ALIVE):
            return self.get_response(request)
        language = translation.get_language_from_request(request)
        with translation.override(language):
            page = render_to_string("restore/page.html", _restore_context(request))
        response = HttpResponse(page, status=200 if request.path == OWN_PAGE else 503)
        response["Retry-After"] = response["Refresh"] = str(AGAIN_SECONDS)
        response["Cache-Control"] = "no-store"
        response["Content-Language"] = language
        return response


def _restore_context(request: HttpRequest) -> dict[str, object]:
    """Without the usual context, which asks who is signed in."""
    state = mode.state()
    since = parse_datetime(state.since) if state else None
    look = {
        "theme": request.COOKIES.get("theme", "system"),
        "contrast": request.COOKIES.get("contrast", "normal"),
    }
    return {"restore": state, "since": since, "request": request, "console": look}


class _Failed(Exception):
    """Carries an answer out of the transaction that it takes back."""

    def __init__(self, response: HttpResponse) -> None:
        super().__init__()
        self.response = response
