"""A ready block for a prompt."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api import answers, documented
from api.serializers.base import validated
from api.serializers.context import ContextInput
from api.serializers.session_outputs import ContextOutput
from api.views.base import ApiView
from memory_core.actions.context import context
from memory_core.contracts.context import Context, ContextQuery

PROMPT_TOKENS = 4096
SHARE = 4
"""The block takes at most one part in four of the prompt."""


class ContextBlock(ApiView):
    """Give what an agent should know at this moment, as text for its prompt.

    The user's own wishes stand first; everything else is fenced and labelled as
    information. The form of the text is documented and stable.
    """

    required_scope = "recall"
    charges_namespaces = True

    @extend_schema(
        operation_id="context",
        summary="A block of memories for a prompt",
        request=ContextInput,
        responses=documented.answers({200: ContextOutput}),
        tags=["memory"],
    )
    def post(self, request: Request) -> Response:
        values = validated(ContextInput, request.data)
        query = question_of(values)
        self.charge(query.namespaces)
        found = context(by=self.caller, query=query)
        return Response(
            shown(
                found,
                may_review="review" in self.caller.scopes,
                debug=values.get("debug", False),
            )
        )


def question_of(values: dict[str, Any]) -> ContextQuery:
    """Return what is asked; without a budget it is a quarter of the prompt."""
    share = max(1, values.get("prompt_tokens", PROMPT_TOKENS) // SHARE)
    sent: dict[str, Any] = {
        name: values[name]
        for name in ("owner_id", "moment", "query", "session_id", "purpose")
        if name in values
    }
    if "namespaces" in values:
        sent["namespaces"] = tuple(values["namespaces"])
    if "max_memories" in values:
        sent["most_memories"] = values["max_memories"]
    return ContextQuery(budget=values.get("token_budget", share), **sent)


def shown(found: Context, *, may_review: bool, debug: bool) -> dict[str, Any]:
    """Return the answer; where things stand in the text only when asked for."""
    placed = found.block.placed
    answer: dict[str, Any] = {
        "text": found.block.text,
        "tokens": found.block.tokens,
        "memory_ids": [
            one.memory_id for one in placed if one.memory_id and one.how != "left_out"
        ],
        "recall_ids": list(found.recall_ids),
        "withheld": answers.withheld(found.withheld, may_review=may_review),
        "conflicts": [
            {
                "memory_id": one.memory.memory_id,
                "now": one.now,
                "in_general": one.memory.content,
            }
            for one in found.conflicts
        ],
        "hints": list(found.hints),
    }
    if debug:
        answer["debug"] = {
            "budget": found.budget,
            "placed": [
                {
                    "memory_id": one.memory_id,
                    "section": one.section,
                    "how": one.how,
                    "rank": one.rank,
                    "tokens": one.tokens,
                    "start": one.start,
                    "end": one.end,
                }
                for one in placed
            ],
        }
    return answer
