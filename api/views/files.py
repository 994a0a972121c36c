"""Memories as files of lines: out and in, streamed."""

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api import documented
from api.serializers.base import from_query
from api.serializers.files import ExportQuery, ImportQuery
from api.serializers.outputs import ImportOutput
from api.streams import LINES, lines_of
from api.views.base import STREAMED, ApiView
from memory_core.actions import snapshots


class Export(ApiView):
    """Send memories in the portable format: a manifest, then one a line."""

    required_scope = "export"

    @extend_schema(
        operation_id="export",
        summary="Export what the token may read",
        parameters=[ExportQuery],
        responses={
            (200, LINES): OpenApiResponse(OpenApiTypes.BINARY),
            **documented.answers({}, usual=documented.WITHOUT_BODY),
        },
        tags=["files"],
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        values = from_query(ExportQuery, request.query_params)
        named = [values["namespace"]] if "namespace" in values else None
        self.charge(named)
        part = values.get("part")
        made = snapshots.export(
            by=self.caller,
            owner_id=values.get("owner_id", ""),
            namespace=values.get("namespace", ""),
            ascii_only=values.get("ascii", False),
            with_vectors=values.get("embeddings", False),
            part=part,
        )
        return StreamingHttpResponse(made.pieces(part), content_type=LINES)


class Import(ApiView):
    """Take memories in the portable format; a bad line is named and spoils no other."""

    required_scope = "import"
    body_limit = STREAMED

    @extend_schema(
        operation_id="import",
        summary="Import memories, line by line",
        parameters=[ImportQuery],
        request={LINES: OpenApiTypes.BINARY},
        responses=documented.answers({200: ImportOutput}),
        tags=["files"],
    )
    def post(self, request: Request) -> Response:
        values = from_query(ImportQuery, request.query_params)
        lines = lines_of(request._request)
        named = values.get("namespace", self.caller.home)
        self.charge([named])
        report = snapshots.take_in(
            by=self.caller,
            lines=lines,
            namespace=values.get("namespace", ""),
            dry_run=values.get("dry_run", False),
            age=values.get("age", "touch"),
        )
        return Response(report.to_dict())
