"""The shapes of answers about sessions, encoding and context."""

from rest_framework import serializers

from api.serializers.outputs import Output, WithheldOutput
from api.serializers.sessions import ROLES


class MessageOutput(Output):
    role = serializers.ChoiceField(ROLES)
    content = serializers.CharField()
    at = serializers.DateTimeField()


class SessionOutput(Output):
    session_id = serializers.CharField()
    messages = MessageOutput(many=True, help_text="The window, oldest first.")
    summary = serializers.CharField(help_text="Of what left the window.")
    state = serializers.DictField()
    rounds = serializers.IntegerField(help_text="Messages of the user so far.")
    tokens = serializers.IntegerField(help_text="Of the window, at most.")
    max_tokens = serializers.IntegerField()
    started_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


class ClosedOutput(Output):
    closed = serializers.BooleanField()
    rounds = serializers.IntegerField()
    encoding_id = serializers.UUIDField(allow_null=True)


class PlacedOutput(Output):
    memory_id = serializers.UUIDField(allow_null=True)
    section = serializers.ChoiceField(("wishes", "information", "summary", "conflicts"))
    how = serializers.ChoiceField(("whole", "cut", "left_out"))
    rank = serializers.IntegerField(help_text="From 1; 0 for what is no memory.")
    tokens = serializers.IntegerField()
    start = serializers.IntegerField(help_text="Position in the text, in characters.")
    end = serializers.IntegerField()


class ConflictOutput(Output):
    memory_id = serializers.UUIDField()
    now = serializers.CharField(help_text="What the conversation says.")
    in_general = serializers.CharField(help_text="What is remembered.")


class ContextDebugOutput(Output):
    budget = serializers.IntegerField()
    placed = PlacedOutput(many=True)


class ContextOutput(Output):
    text = serializers.CharField(
        help_text="For the front of the system prompt; empty when nothing is known."
    )
    tokens = serializers.IntegerField(help_text="At most, whatever the tokenizer.")
    memory_ids = serializers.ListField(child=serializers.UUIDField())
    recall_ids = serializers.ListField(
        child=serializers.UUIDField(), help_text="For feedback."
    )
    withheld = WithheldOutput()
    conflicts = ConflictOutput(many=True)
    hints = serializers.ListField(child=serializers.CharField())
    debug = ContextDebugOutput(required=False)


class EncodingOutput(Output):
    encoding_id = serializers.UUIDField()
