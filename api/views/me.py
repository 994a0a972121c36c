"""Who the token is and what it may do."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api import documented
from api.serializers.outputs import MeOutput
from api.throttling import of_token
from api.views.base import ApiView
from memory_core.contracts.callers import AGENT


class Me(ApiView):
    """Tell a token who it is."""

    required_scope = ""

    @extend_schema(
        operation_id="me",
        summary="The token's agent, namespaces, scopes and limits",
        responses=documented.answers({200: MeOutput}),
        tags=["service"],
    )
    def get(self, request: Request) -> Response:
        by = self.caller
        names = sorted({*by.readable, *by.writable})
        spaces = [
            {"name": n, "can_read": n in by.readable, "can_write": n in by.writable}
            for n in names
        ]
        return Response(
            {
                "agent": by.name.removeprefix(AGENT),
                "token": by.token_prefix,
                "namespace": by.home,
                "namespaces": spaces,
                "scopes": sorted(by.scopes),
                "owner_claim": by.owner_claim or None,
                "limits": {"requests_per_second": by.rate, "burst": of_token(by).burst},
            }
        )
