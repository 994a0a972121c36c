"""Recall by meaning."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api import answers, documented
from api.serializers.base import validated
from api.serializers.outputs import RecallOutput
from api.serializers.recall import RecallInput
from api.translation import question_of
from api.views.base import ApiView
from memory_core.actions.recall import recall


class Recall(ApiView):
    """Find what is known of an owner that bears on a question, best first.

    An owner that is unknown or not visible to the token has no memories.
    """

    required_scope = "recall"
    charges_namespaces = True

    @extend_schema(
        operation_id="recall",
        summary="Recall what is known of an owner",
        request=RecallInput,
        responses=documented.answers({200: RecallOutput}),
        tags=["memory"],
    )
    def post(self, request: Request) -> Response:
        question = question_of(validated(RecallInput, request.data))
        self.charge(question.namespaces)
        found = recall(by=self.caller, query=question)
        may_review = "review" in self.caller.scopes
        return Response(answers.recalled(found, may_review=may_review))
