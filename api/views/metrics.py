"""Numbers for Prometheus."""

import hmac
from typing import Any

from django.conf import settings
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api import documented, metrics
from api.authentication import TokenAuthentication
from api.openapi import TOKEN
from api.permissions import HasScope
from api.renderers import AsItIs
from api.views.base import ApiView

PROMETHEUS = "prometheus"


class MetricsAuthentication(TokenAuthentication):
    """An agent's token, or the one that the operator gave to Prometheus."""

    def authenticate(self, request: Request) -> tuple[Any, str]:
        """Return who asks; raise AuthenticationFailed."""
        sent = request.headers.get("Authorization", "")
        expected = f"Bearer {settings.METRICS_TOKEN}"
        if settings.METRICS_TOKEN and _equal(sent, expected):
            return PROMETHEUS, ""
        return super().authenticate(request)


class MetricsScope(HasScope):
    """The scope `admin`, or Prometheus."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return True, or raise ScopeMissing (403)."""
        caller: Any = request.user
        return caller == PROMETHEUS or super().has_permission(request, view)


class Metrics(ApiView):
    """Give Prometheus its numbers, summed over the processes.

    To its own token, or to one with the scope `admin`, which is for this alone.
    """

    required_scope = "admin"
    authentication_classes = (MetricsAuthentication,)
    permission_classes = (MetricsScope,)
    renderer_classes = (AsItIs,)

    @extend_schema(
        operation_id="metrics",
        summary="Numbers for Prometheus",
        responses={
            (200, "text/plain"): OpenApiResponse(OpenApiTypes.STR),
            **documented.answers({}, usual=documented.WITHOUT_BODY),
        },
        auth=[{TOKEN: []}],  # type: ignore[list-item]
        tags=["service"],
    )
    def get(self, request: Request) -> Response:
        return Response(metrics.exposition(), content_type=metrics.CONTENT_TYPE)


def _equal(sent: str, expected: str) -> bool:
    return hmac.compare_digest(sent.encode(), expected.encode())
