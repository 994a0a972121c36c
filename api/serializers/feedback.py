"""What an agent says of what it recalled."""

from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from api.serializers.base import Input
from api.serializers.fields import Choice, MemoryId, OwnerId, Text

ONE_MEMORY = {"memory_id", "verdict"}
ONE_RECALL = {"recall_id", "used"}


class FeedbackInput(Input):
    """Either a verdict on one memory, or which memories of a recall were used."""

    owner_id = OwnerId()
    memory_id = MemoryId(required=False)
    verdict = Choice(("useful", "not_useful", "wrong"), required=False)
    note = Text(required=False, allow_blank=True, max_length=1000)
    recall_id = MemoryId(required=False)
    used = serializers.ListField(required=False, child=MemoryId(), max_length=100)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        sent = attrs.keys() - {"owner_id"}
        if sent != ONE_RECALL and sent - {"note"} != ONE_MEMORY:
            message = "Send memory_id and verdict, or recall_id and used."
            raise ValidationError({"memory_id": [ErrorDetail(message, "one_of")]})
        return attrs
