"""The routes of the benchmark: the service's and a floor, with stage times."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import include, path

from memory_core.stages import collected


def empty(request: HttpRequest) -> HttpResponse:
    """Answer nothing: what the server and the middleware cost by themselves."""
    return HttpResponse(b"{}", content_type="application/json")


def server_timing(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Tell the milliseconds of each stage in the header `Server-Timing`."""

    def timed(request: HttpRequest) -> HttpResponse:
        with collected() as seconds:
            response = get_response(request)
        parts = [f"{name};dur={spent * 1_000:.3f}" for name, spent in seconds.items()]
        response["Server-Timing"] = ", ".join(parts)
        return response

    return timed


urlpatterns = [
    path("v1/empty", empty),
    path("", include("memory_core.config.urls")),
]
