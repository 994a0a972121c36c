"""What an agent hands to the encoder."""

from rest_framework import serializers

from api.serializers.base import Input
from api.serializers.fields import Choice, Moment, OwnerId, Text
from api.serializers.sessions import LONGEST_MESSAGE, MOST_MESSAGES, ROLES


class SaidInput(Input):
    """One message and, for a conversation of the past, when it was said."""

    role = Choice(ROLES)
    content = Text(allow_blank=True, max_length=LONGEST_MESSAGE)
    at = Moment(required=False, allow_null=True, past=True)


class EncodeInput(Input):
    """A stretch of conversation, oldest message first."""

    owner_id = OwnerId()
    messages = serializers.ListField(
        child=SaidInput(), min_length=1, max_length=MOST_MESSAGES
    )
    session_id = Text(required=False, allow_blank=True, max_length=200)
    namespace = Text(required=False, min_length=1, max_length=100)
