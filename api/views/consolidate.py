"""Tidy up on request, and see what a run did."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api import documented
from api.serializers.base import validated
from api.serializers.consolidate import ConsolidateInput
from api.serializers.outputs import RunOutput, RunStartedOutput
from api.views.base import ApiView, id_of
from memory_core.actions import consolidation


class Consolidate(ApiView):
    """Queue a run that archives, expires and merges; a dry run only reports."""

    required_scope = "consolidate"

    @extend_schema(
        operation_id="consolidate",
        summary="Start a consolidation",
        request=ConsolidateInput,
        responses=documented.answers({202: RunStartedOutput}, 409),
        parameters=[documented.IDEMPOTENCY_KEY],
        tags=["consolidation"],
    )
    def post(self, request: Request) -> Response:
        values = validated(ConsolidateInput, request.data)
        run_id = consolidation.start(
            by=self.caller,
            namespace=values.get("namespace", ""),
            owner_id=values.get("owner_id", ""),
            dry_run=values.get("dry_run", False),
            once=self.once(),
        )
        return Response({"run_id": run_id}, status=202)


class ConsolidateRun(ApiView):
    """Show a run of this agent: its counts, and for each change why."""

    required_scope = "consolidate"

    @extend_schema(
        operation_id="get_consolidation",
        summary="What a consolidation did, or would do",
        responses=documented.answers({200: RunOutput}, 404),
        tags=["consolidation"],
    )
    def get(self, request: Request, run_id: str) -> Response:
        run = consolidation.find(by=self.caller, run_id=id_of(run_id))
        return Response(
            {
                "run_id": run.run_id,
                "state": run.state,
                "dry_run": run.dry_run,
                "seen": run.seen,
                "counts": run.counts,
                "cases": run.cases,
                "created_at": run.created_at,
                "finished_at": run.finished_at,
            }
        )
