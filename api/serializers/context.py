"""What a context block is asked for."""

from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from api.serializers.base import Input
from api.serializers.fields import Choice, Flag, Integer, OwnerId, Text
from api.serializers.recall import LONGEST_QUERY

MOMENTS = ("session_start", "turn", "tool_call")
LARGEST_PROMPT = 10**6


class ContextInput(Input):
    """For which moment, about what, and in how many tokens."""

    owner_id = OwnerId()
    moment = Choice(MOMENTS)
    query = Text(required=False, visible=True, min_length=1, max_length=LONGEST_QUERY)
    session_id = Text(required=False, allow_blank=True, max_length=200)
    prompt_tokens = Integer(required=False, min_value=1, max_value=LARGEST_PROMPT)
    token_budget = Integer(required=False, min_value=1, max_value=LARGEST_PROMPT)
    max_memories = Integer(required=False, min_value=1, max_value=50)
    namespaces = serializers.ListField(
        required=False, max_length=100, child=Text(min_length=1, max_length=100)
    )
    purpose = Choice(("answer", "sensitive_action"), required=False)
    debug = Flag(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["moment"] != "session_start" and "query" not in attrs:
            message = "Send what the user said, or what the tool is called for."
            raise ValidationError({"query": [ErrorDetail(message, "required")]})
        return attrs
