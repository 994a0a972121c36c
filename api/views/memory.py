"""Read memories without asking a question: one, its history, a list."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api import answers, cursors, documented
from api.serializers.base import from_query
from api.serializers.outputs import HistoryOutput, MemoryOutput, PageOutput
from api.serializers.queries import ListQuery, OwnerQuery
from api.translation import narrowing_of
from api.views.base import ApiView, id_of
from memory_core.actions import lookups
from memory_core.contracts.enums import Status

DEFAULT_PAGE = 50


class Get(ApiView):
    """Show one memory with its state and lineage."""

    required_scope = "recall"

    @extend_schema(
        operation_id="get_memory",
        summary="One memory",
        parameters=[OwnerQuery],
        responses=documented.answers({200: MemoryOutput}, 404),
        tags=["memory"],
    )
    def get(self, request: Request, memory_id: str) -> Response:
        owner_id = from_query(OwnerQuery, request.query_params)["owner_id"]
        found = lookups.get(
            by=self.caller, owner_id=owner_id, memory_id=id_of(memory_id)
        )
        return Response(answers.memory(found))


class History(ApiView):
    """Show what a memory said before, what it replaced and what was merged into it."""

    required_scope = "recall"

    @extend_schema(
        operation_id="get_history",
        summary="What a memory said before, what it replaced and what was merged in",
        parameters=[OwnerQuery],
        responses=documented.answers({200: HistoryOutput}, 404),
        tags=["memory"],
    )
    def get(self, request: Request, memory_id: str) -> Response:
        owner_id = from_query(OwnerQuery, request.query_params)["owner_id"]
        found = lookups.history(
            by=self.caller, owner_id=owner_id, memory_id=id_of(memory_id)
        )
        return Response(answers.history(found))


class List(ApiView):
    """Page through an owner's memories; the cursor stays valid under writes."""

    required_scope = "recall"
    charges_namespaces = True

    @extend_schema(
        operation_id="list_memories",
        summary="An owner's memories, newest first, page by page",
        parameters=[ListQuery],
        responses=documented.answers({200: PageOutput}),
        tags=["memory"],
    )
    def get(self, request: Request) -> Response:
        values = from_query(ListQuery, request.query_params)
        cursor = values.pop("cursor", "")
        limit = values.pop("limit", DEFAULT_PAGE)
        self.charge(values.get("namespaces"))
        page = lookups.page(
            by=self.caller,
            owner_id=values["owner_id"],
            namespaces=values.get("namespaces"),
            narrowing=narrowing_of(values),
            statuses=[Status.of(word) for word in values.get("status", ())],
            session_id=values.get("session_id", ""),
            external_id=values.get("external_id", ""),
            after=cursors.read(cursor, bound_to=values) if cursor else None,
            limit=limit,
        )
        following = page.next_after and cursors.write(page.next_after, bound_to=values)
        listed = [answers.memory(view) for view in page.memories]
        return Response({"memories": listed, "next_cursor": following})
