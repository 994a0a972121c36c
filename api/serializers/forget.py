"""What is to be forgotten."""

from typing import Any

from django.conf import settings
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from api.serializers.base import Input
from api.serializers.fields import Choice, Flag, Moment, OwnerId, Text
from api.serializers.outputs import Output
from api.serializers.recall import LONGEST_QUERY
from moderation.models import Regime

LANGUAGES = tuple(code for code, _ in settings.LANGUAGES)


class ForgetInput(Input):
    """A sentence, a session, a moment since when; together they all must hold."""

    owner_id = OwnerId()
    query = Text(required=False, visible=True, min_length=1, max_length=LONGEST_QUERY)
    session_id = Text(required=False, min_length=1, max_length=200)
    since = Moment(required=False)
    dry_run = Flag()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs.keys() & {"query", "session_id", "since"}:
            message = "Send at least one of query, session_id and since."
            raise ValidationError({"query": [ErrorDetail(message, "required")]})
        return attrs


class ForgetOwnerInput(Input):
    """Who wants to be forgotten, under which law, and in which language we answer."""

    owner_id = OwnerId()
    law = Choice(Regime.values, required=False)
    language = Choice(LANGUAGES, required=False)


class ForgetOwnerOutput(Output):
    request = serializers.CharField(help_text="The reference, to be named to people.")
    state = serializers.ChoiceField(("received",))
    received_on = serializers.DateField()
    due_on = serializers.DateField(help_text="By when the person has an answer.")
