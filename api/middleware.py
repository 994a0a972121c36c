"""What holds for every answer: an id, a known host, problems instead of HTML errors."""

import re
import time
from collections.abc import Callable
from uuid import uuid4

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from api import metrics
from api.problems import CONTENT_TYPE, as_bytes, problem

HEADER = "X-Request-ID"
ACCEPTED = re.compile(r"[A-Za-z0-9._:-]{1,100}", re.ASCII)
MACHINE_PATHS = ("/v1/", "/compat/", "/healthz/", "/readyz/", "/metrics/")
CODES = {
    400: "bad_request",
    404: "not_found",
    405: "method_not_allowed",
    413: "body_too_large",
    500: "internal_error",
    503: "restoring",
}
UNKNOWN_HOST = (
    "The service does not answer to the host name of this request; its operator lists"
    " the names in MNEME_ALLOWED_HOSTS."
)


def request_id_of(request: HttpRequest) -> str:
    """Return the id under which this request is answered, logged and audited."""
    return getattr(request, "request_id", "")


class RequestIdMiddleware:
    """Give each request an id: the caller's when it is well formed, else a new one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        sent = request.headers.get(HEADER, "")
        request_id = sent if ACCEPTED.fullmatch(sent) else uuid4().hex
        request.request_id = request_id  # type: ignore[attr-defined]
        started = time.perf_counter()
        response = _as_problem(request, self.get_response(request), request_id)
        seconds = time.perf_counter() - started
        metrics.count(request, response.status_code, seconds=seconds)
        response[HEADER] = request_id
        return response


class KnownHostMiddleware:
    """Refuse a host name that is not among `MNEME_ALLOWED_HOSTS`, and say so."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            request.get_host()
        except DisallowedHost:
            return _unknown_host(request)
        return self.get_response(request)


def _unknown_host(request: HttpRequest) -> HttpResponse:
    if not _is_of_a_machine(request):
        return render(request, "400.html", {"is_unknown_host": True}, status=400)
    found = problem(
        status=400,
        code="unknown_host",
        detail=UNKNOWN_HOST,
        request_id=request_id_of(request),
    )
    return HttpResponse(as_bytes(found), content_type=CONTENT_TYPE, status=400)


def _is_of_a_machine(request: HttpRequest) -> bool:
    """A base URL that ends with a slash makes two of them at the beginning."""
    return f"/{request.path.lstrip('/')}/".startswith(MACHINE_PATHS)


def _as_problem(
    request: HttpRequest, response: HttpResponse, request_id: str
) -> HttpResponse:
    """Return the answer; an HTML error of Django becomes a problem for machines."""
    status = response.status_code
    if status < 400 or not _is_of_a_machine(request):
        return response
    if response.get("Content-Type", "").startswith((CONTENT_TYPE, "application/json")):
        return response
    code = CODES.get(status, "error")
    response.content = as_bytes(
        problem(status=status, code=code, request_id=request_id)
    )
    response["Content-Type"] = CONTENT_TYPE
    response["Content-Length"] = str(len(response.content))
    return response
