"""Delete one memory, what somebody asked to forget, or somebody altogether."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api import answers, documented
from api.serializers.base import validated
from api.serializers.forget import (
    ForgetInput,
    ForgetOwnerInput,
    ForgetOwnerOutput,
)
from api.serializers.memories import DeleteInput
from api.serializers.outputs import DeletedOutput, ForgottenOutput
from api.views.base import ApiView
from memory_core.actions import access, memories
from moderation.actions import erasure_intake
from moderation.models import Regime


class Delete(ApiView):
    """Delete a memory with its versions, terms and vector.

    Unknown, foreign and already deleted ids are answered alike.
    """

    required_scope = "delete"

    @extend_schema(
        operation_id="delete",
        summary="Delete a memory for good",
        request=DeleteInput,
        responses=documented.answers({200: DeletedOutput}, 409, 423),
        parameters=[documented.IDEMPOTENCY_KEY],
        tags=["memory"],
    )
    def post(self, request: Request) -> Response:
        values = validated(DeleteInput, request.data)
        deleted = memories.forget(
            by=self.caller,
            scope=access.read_scope(self.caller, values["owner_id"]),
            memory_id=values["memory_id"],
            reason=values.get("reason", ""),
            once=self.once(),
        )
        return Response({"deleted": deleted})


class Forget(ApiView):
    """Delete everything that one request to forget means."""

    required_scope = "delete"

    @extend_schema(
        operation_id="forget",
        summary="Delete what a sentence, a session or a moment points at",
        description=(
            "A dry run deletes nothing and lists what would go. A query is a statement"
            " (`forget that I like tea`), and what says it goes, or a topic (`my tax"
            " debt`), and what contains it goes. Where nothing fits nothing goes, and"
            " `hints` says why. Who wants everything forgotten is passed on with"
            " forget-owner."
        ),
        request=ForgetInput,
        responses=documented.answers({200: ForgottenOutput}, 409, 423),
        parameters=[documented.IDEMPOTENCY_KEY],
        tags=["memory"],
    )
    def post(self, request: Request) -> Response:
        values = validated(ForgetInput, request.data)
        dry_run = values["dry_run"]
        found = memories.forget_matching(
            by=self.caller,
            scope=access.read_scope(self.caller, values["owner_id"]),
            query=values.get("query", ""),
            session_id=values.get("session_id", ""),
            since=values.get("since"),
            dry_run=dry_run,
            once=self.once(),
        )
        return Response(answers.forgotten(found, dry_run=dry_run))


class ForgetOwner(ApiView):
    """Pass on that an owner wants to be forgotten; people check, approve, answer."""

    required_scope = "delete"

    @extend_schema(
        operation_id="forget_owner",
        summary="Ask that everything about an owner be erased",
        description=(
            "Opens a request that people handle within the law's deadline. The same"
            " agent gets the same reference as long as its request is open."
        ),
        request=ForgetOwnerInput,
        responses=documented.answers({202: ForgetOwnerOutput}, 409),
        parameters=[documented.IDEMPOTENCY_KEY],
        tags=["memory"],
    )
    def post(self, request: Request) -> Response:
        values = validated(ForgetOwnerInput, request.data)
        receipt = erasure_intake.pass_on(
            owner_id=values["owner_id"],
            regime=values.get("law", Regime.GDPR),
            language=values.get("language", "en"),
            by=self.caller,
            now=timezone.now(),
            once=self.once(),
        )
        body = {
            "request": receipt.ref,
            "state": "received",
            "received_on": receipt.received_on,
            "due_on": receipt.due_on,
        }
        return Response(body, status=202)
