"""Is it alive, is it ready."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.serializers.outputs import AliveOutput, ReadyOutput
from api.views.base import ApiView
from memory_core.actions import health


class OpenView(ApiView):
    """A view that asks for no token."""

    required_scope = ""
    authentication_classes = ()
    permission_classes = ()
    throttle_classes = ()


class Healthz(OpenView):
    """Say that the process answers; nothing else is looked at."""

    @extend_schema(
        operation_id="healthz",
        summary="The process answers",
        responses={200: AliveOutput},
        auth=[],
        tags=["service"],
    )
    def get(self, request: Request) -> Response:
        return Response({"status": "alive"})


class Readyz(OpenView):
    """Say which parts answer. Without queue or worker, saves and recalls still work."""

    @extend_schema(
        operation_id="readyz",
        summary="The state of each part that the service needs",
        responses={200: ReadyOutput, 503: ReadyOutput},
        auth=[],
        tags=["service"],
    )
    def get(self, request: Request) -> Response:
        found = health.check()
        status = "ready" if found.is_ready else "not_ready"
        return Response(
            {"status": status, "checks": found.parts},
            status=200 if found.is_ready else 503,
        )
