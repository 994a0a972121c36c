"""Snapshots: ordered, looked at, fetched."""

from dataclasses import asdict

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api import documented
from api.serializers.base import from_query, validated
from api.serializers.outputs import SnapshotOutput, SnapshotsOutput
from api.serializers.snapshots import PartQuery, SnapshotInput
from api.streams import LINES
from api.views.base import ApiView, id_of
from memory_core.actions import snapshots


class Snapshots(ApiView):
    """Order a snapshot, or list those of this agent."""

    required_scope = "export"

    @extend_schema(
        operation_id="order_snapshot",
        summary="Order a snapshot of what the token may read",
        request=SnapshotInput,
        responses=documented.answers({202: SnapshotOutput}, 409),
        parameters=[documented.IDEMPOTENCY_KEY],
        tags=["files"],
    )
    def post(self, request: Request) -> Response:
        values = validated(SnapshotInput, request.data)
        ordered = snapshots.order(
            by=self.caller,
            owner_id=values.get("owner_id", ""),
            namespace=values.get("namespace", ""),
            ascii_only=values.get("ascii", False),
            with_vectors=values.get("embeddings", False),
            once=self.once(),
        )
        return Response(asdict(ordered), status=202)

    @extend_schema(
        operation_id="list_snapshots",
        summary="The snapshots of this agent, the newest first",
        responses=documented.answers(
            {200: SnapshotsOutput}, usual=documented.WITHOUT_BODY
        ),
        tags=["files"],
    )
    def get(self, request: Request) -> Response:
        found = snapshots.ordered_by(by=self.caller)
        return Response({"snapshots": [asdict(one) for one in found]})


class Snapshot(ApiView):
    """Show whether a snapshot is done, and what is in it."""

    required_scope = "export"

    @extend_schema(
        operation_id="get_snapshot",
        summary="A snapshot of this agent",
        responses=documented.answers(
            {200: SnapshotOutput}, 404, usual=documented.WITHOUT_BODY
        ),
        tags=["files"],
    )
    def get(self, request: Request, snapshot_id: str) -> Response:
        found = snapshots.find(by=self.caller, snapshot_id=id_of(snapshot_id))
        return Response(asdict(found))


class SnapshotContent(ApiView):
    """Send a finished snapshot, or the lines of one part of it."""

    required_scope = "export"

    @extend_schema(
        operation_id="fetch_snapshot",
        summary="The file of a snapshot",
        parameters=[PartQuery],
        responses={
            (200, LINES): OpenApiResponse(OpenApiTypes.BINARY),
            **documented.answers({}, 404, usual=documented.WITHOUT_BODY),
        },
        tags=["files"],
    )
    def get(self, request: Request, snapshot_id: str) -> StreamingHttpResponse:
        values = from_query(PartQuery, request.query_params)
        pieces = snapshots.content(
            by=self.caller, snapshot_id=id_of(snapshot_id), part=values.get("part")
        )
        return StreamingHttpResponse(pieces, content_type=LINES)
