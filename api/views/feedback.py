"""What an agent found of what it recalled."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api import documented
from api.serializers.base import validated
from api.serializers.feedback import FeedbackInput
from api.serializers.outputs import FeedbackOutput
from api.views.base import ApiView
from memory_core.actions import access, feedback


class Feedback(ApiView):
    """Take a verdict on one memory, or which memories of a recall were used.

    The verdict `wrong` opens a review.
    """

    required_scope = "save"

    @extend_schema(
        operation_id="feedback",
        summary="Say whether a memory was useful, or which of a recall were used",
        request=FeedbackInput,
        responses=documented.answers({200: FeedbackOutput}, 404, 409),
        parameters=[documented.IDEMPOTENCY_KEY],
        tags=["memory"],
    )
    def post(self, request: Request) -> Response:
        values = validated(FeedbackInput, request.data)
        scope = access.read_scope(self.caller, values["owner_id"])
        if "recall_id" in values:
            feedback.report_used(
                by=self.caller,
                scope=scope,
                recall_id=values["recall_id"],
                used=values["used"],
                once=self.once(),
            )
        else:
            feedback.give(
                by=self.caller,
                scope=scope,
                memory_id=values["memory_id"],
                verdict=values["verdict"],
                note=values.get("note", ""),
                once=self.once(),
            )
        return Response({"recorded": True})
