"""Save one memory, or many."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api import answers, documented
from api.errors import parts_of
from api.middleware import request_id_of
from api.parsers import MEBIBYTE
from api.problems import problem
from api.serializers.base import validated
from api.serializers.memories import BatchInput, SaveInput
from api.serializers.outputs import BatchOutput, SavedOutput
from api.translation import draft_of
from api.views.base import ApiView
from memory_core.actions import denials, memories
from memory_core.contracts.memories import Draft, Saved
from memory_core.exceptions import InvalidInput, MnemeError


class UnknownField(InvalidInput):
    code = "unknown_field"


class Save(ApiView):
    """Store one statement: 201 when it was added.

    200 when it reinforced, updated or left unchanged what is known already.
    """

    required_scope = "save"
    charges_namespaces = True

    @extend_schema(
        operation_id="save",
        summary="Save a memory",
        request=SaveInput,
        responses=documented.answers(
            {201: SavedOutput, 200: SavedOutput}, 403, 409, 410
        ),
        parameters=[documented.IDEMPOTENCY_KEY],
        tags=["memory"],
    )
    def post(self, request: Request) -> Response:
        draft = draft_of(validated(SaveInput, request.data), self.caller)
        self.charge([draft.namespace])
        saved = memories.remember(draft=draft, by=self.caller, once=self.once())
        return Response(answers.saved(saved), status=status_of(saved))


class SaveBatch(ApiView):
    """Store many statements; the results come in the order of the items."""

    required_scope = "save"
    charges_namespaces = True
    body_limit = 8 * MEBIBYTE

    @extend_schema(
        operation_id="save_batch",
        summary="Save up to 200 memories; one bad item spoils no other",
        request=documented.BatchBody,
        responses=documented.answers({200: BatchOutput}, 409),
        parameters=[documented.IDEMPOTENCY_KEY],
        tags=["memory"],
    )
    def post(self, request: Request) -> Response:
        items = validated(BatchInput, request.data)["items"]
        drafts = [self._draft(item) for item in items]
        named = [d.namespace for d in drafts if isinstance(d, Draft)]
        self.charge(named, items=len(items))
        results = memories.remember_many(
            drafts=drafts, by=self.caller, once=self.once()
        )
        refused = [result for result in results if isinstance(result, MnemeError)]
        denials.record(refused, by=self.caller)
        return Response({"results": [self._answer(result) for result in results]})

    def _draft(self, item: Any) -> Draft | MnemeError:
        try:
            return draft_of(validated(SaveInput, item), self.caller)
        except ValidationError as error:
            return _as_domain_error(parts_of(error))

    def _answer(self, result: Saved | MnemeError) -> dict[str, Any]:
        if isinstance(result, MnemeError):
            request_id = request_id_of(self.request._request)
            return problem(**parts_of(result), request_id=request_id)
        return answers.saved(result)


def status_of(saved: Saved) -> int:
    """Return 201 for a new memory, 200 for what was known already."""
    return 201 if saved.event == "added" else 200


def _as_domain_error(parts: Mapping[str, Any]) -> MnemeError:
    kind = UnknownField if parts["code"] == "unknown_field" else InvalidInput
    return kind(parts["detail"], errors=parts["errors"])
