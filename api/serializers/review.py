"""What a reviewer agent asks and decides."""

from rest_framework import serializers

from api.serializers.base import Input
from api.serializers.fields import Choice, Integer, Text
from api.serializers.outputs import MemoryOutput, Output
from api.serializers.queries import LARGEST_PAGE, QueryInteger

LARGEST_VERSION = 2**31 - 1


class QueueQuery(Input):
    """Which page of what waits, or of today's sample of unreviewed inferences."""

    view = Choice(("held", "sample"), required=False)
    cursor = Text(required=False, min_length=1, max_length=200)
    limit = QueryInteger(required=False, min_value=1, max_value=LARGEST_PAGE)


class DecisionInput(Input):
    """A decision on the very text that was looked at."""

    expected_version = Integer(min_value=1, max_value=LARGEST_VERSION)
    content_digest = Text(min_length=64, max_length=64)
    reason = Text(required=False, allow_blank=True, max_length=100)


class WaitingOutput(MemoryOutput):
    owner_id = serializers.CharField()
    content_digest = serializers.CharField(help_text="Send it back with the decision.")


class QueueOutput(Output):
    memories = WaitingOutput(many=True)
    next_cursor = serializers.CharField(allow_null=True)


class DecidedOutput(Output):
    memory_id = serializers.UUIDField()
    status = serializers.ChoiceField(
        ("active", "rejected", "pending"),
        help_text="pending: where two must agree, a person has the next word.",
    )
    version = serializers.IntegerField()
