"""What an agent sends of a conversation."""

from rest_framework import serializers

from api.serializers.base import Input
from api.serializers.fields import Choice, Flag, Integer, Metadata, OwnerId, Text

ROLES = ("system", "user", "assistant", "tool")
OUTCOMES = ("completed", "withdrawn", "complained")
LONGEST_MESSAGE = 32_000
MOST_MESSAGES = 200
SMALLEST_WINDOW, LARGEST_WINDOW = 64, 32_768
SHORTEST_LIFE, LONGEST_LIFE = 60, 7 * 86_400


class MessageInput(Input):
    """One message, as chat models take it."""

    role = Choice(ROLES)
    content = Text(allow_blank=True, max_length=LONGEST_MESSAGE)


class MessagesInput(Input):
    """What was said since the last time, oldest first, and what the agent keeps."""

    owner_id = OwnerId()
    messages = serializers.ListField(child=MessageInput(), max_length=MOST_MESSAGES)
    state = Metadata(required=False)
    max_tokens = Integer(
        required=False, min_value=SMALLEST_WINDOW, max_value=LARGEST_WINDOW
    )
    expire_after_seconds = Integer(
        required=False, min_value=SHORTEST_LIFE, max_value=LONGEST_LIFE
    )


class CloseInput(Input):
    """How a session ends."""

    owner_id = OwnerId()
    encode = Flag()
    outcome = Choice(OUTCOMES, required=False)
