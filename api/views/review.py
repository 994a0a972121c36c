"""Decide on memories that wait: for reviewer agents, never on what they wrote."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api import answers, cursors, documented
from api.serializers.base import from_query, validated
from api.serializers.review import (
    DecidedOutput,
    DecisionInput,
    QueueOutput,
    QueueQuery,
)
from api.views.base import ApiView, id_of
from memory_core.contracts.enums import Status
from memory_core.models import Memory
from moderation.actions import agent_reviews as reviews

DEFAULT_PAGE = 50


class Queue(ApiView):
    """Page through what waits in the namespaces that the agent reads."""

    required_scope = "review"

    @extend_schema(
        operation_id="review_queue",
        summary="Memories that wait for a decision, the oldest first",
        parameters=[QueueQuery],
        responses=documented.answers({200: QueueOutput}),
        tags=["review"],
    )
    def get(self, request: Request) -> Response:
        values = from_query(QueueQuery, request.query_params)
        cursor = values.pop("cursor", "")
        view = values.get("view", "held")
        bound_to = {"queue": self.caller.agent_id, "view": view}
        page = reviews.waiting(
            by=self.caller,
            view=view,
            after=cursors.read(cursor, bound_to=bound_to) if cursor else None,
            limit=values.get("limit", DEFAULT_PAGE),
            now=timezone.now(),
        )
        following = page.next_after and cursors.write(
            page.next_after, bound_to=bound_to
        )
        listed = [answers.waiting(one) for one in page.waiting]
        return Response({"memories": listed, "next_cursor": following})


class Approve(ApiView):
    """Make a memory active that waited."""

    required_scope = "review"

    @extend_schema(
        operation_id="review_approve",
        summary="Let a held memory in",
        request=DecisionInput,
        responses=documented.answers({200: DecidedOutput}, 404, 409),
        tags=["review"],
    )
    def post(self, request: Request, memory_id: str) -> Response:
        values = validated(DecisionInput, request.data)
        return decided(
            reviews.approve(by=self.caller, memory_id=id_of(memory_id), **values)
        )


class Reject(ApiView):
    """Keep a memory that waited out of every recall."""

    required_scope = "review"

    @extend_schema(
        operation_id="review_reject",
        summary="Keep a held memory out",
        request=DecisionInput,
        responses=documented.answers({200: DecidedOutput}, 404, 409),
        tags=["review"],
    )
    def post(self, request: Request, memory_id: str) -> Response:
        values = validated(DecisionInput, request.data)
        return decided(
            reviews.reject(by=self.caller, memory_id=id_of(memory_id), **values)
        )


def decided(memory: Memory) -> Response:
    """Return the answer to a decision."""
    return Response(
        {
            "memory_id": memory.pk,
            "status": Status(memory.status).word,
            "version": memory.version,
        }
    )
