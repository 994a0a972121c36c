"""Change a memory: update, roll back, restore, unmerge."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api import answers, documented
from api.serializers.base import validated
from api.serializers.memories import MemoryInput, RollbackInput, UpdateInput
from api.serializers.outputs import MemoryOutput
from api.translation import changes_of
from api.views.base import ApiView
from memory_core.actions import access, changes


class Update(ApiView):
    """Change fields of a memory; screened and judged by trust like any write."""

    required_scope = "save"

    @extend_schema(
        operation_id="update",
        summary="Change a memory; it keeps its id and its earlier version",
        request=UpdateInput,
        responses=documented.answers({200: MemoryOutput}, 404, 409),
        parameters=[documented.IDEMPOTENCY_KEY],
        tags=["memory"],
    )
    def post(self, request: Request) -> Response:
        values = validated(UpdateInput, request.data)
        changed = changes.correct(
            by=self.caller,
            scope=access.read_scope(self.caller, values["owner_id"]),
            memory_id=values["memory_id"],
            changes=changes_of(values),
            expected_version=values.get("expected_version"),
            once=self.once(),
        )
        return Response(answers.memory(changed))


class Rollback(ApiView):
    """Bring back what a memory said in an earlier version."""

    required_scope = "save"

    @extend_schema(
        operation_id="rollback",
        summary="Bring back an earlier version",
        request=RollbackInput,
        responses=documented.answers({200: MemoryOutput}, 404, 409),
        parameters=[documented.IDEMPOTENCY_KEY],
        tags=["memory"],
    )
    def post(self, request: Request) -> Response:
        values = validated(RollbackInput, request.data)
        changed = changes.roll_back(
            by=self.caller,
            scope=access.read_scope(self.caller, values["owner_id"]),
            memory_id=values["memory_id"],
            version=values["version"],
            once=self.once(),
        )
        return Response(answers.memory(changed))


class Restore(ApiView):
    """Make a superseded or archived memory active again."""

    required_scope = "save"

    @extend_schema(
        operation_id="restore",
        summary="Bring back a superseded or archived memory",
        request=MemoryInput,
        responses=documented.answers({200: MemoryOutput}, 404, 409),
        parameters=[documented.IDEMPOTENCY_KEY],
        tags=["memory"],
    )
    def post(self, request: Request) -> Response:
        values = validated(MemoryInput, request.data)
        changed = changes.restore(
            by=self.caller,
            scope=access.read_scope(self.caller, values["owner_id"]),
            memory_id=values["memory_id"],
            once=self.once(),
        )
        return Response(answers.memory(changed))


class Unmerge(ApiView):
    """Give the memories of a merge back their own lives."""

    required_scope = "save"

    @extend_schema(
        operation_id="unmerge",
        summary="Undo a merge",
        request=MemoryInput,
        responses=documented.answers({200: MemoryOutput}, 404, 409),
        parameters=[documented.IDEMPOTENCY_KEY],
        tags=["memory"],
    )
    def post(self, request: Request) -> Response:
        values = validated(MemoryInput, request.data)
        changed = changes.unmerge(
            by=self.caller,
            scope=access.read_scope(self.caller, values["owner_id"]),
            memory_id=values["memory_id"],
            once=self.once(),
        )
        return Response(answers.memory(changed))
