"""What mem0's clients send.

What only asks for more than there is here is left aside (`IGNORED`); anything else
that is not known is refused, since it may have been meant to narrow something.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from rest_framework import serializers

from api.compat.mem0.dates import AnyMoment, FirstMoment, LastDay, Timestamp
from api.compat.mem0.entities import ENTITIES, owner_id_among
from api.compat.mem0.owners import OwnerNeeded
from api.serializers.base import Input
from api.serializers.fields import Flag, Metadata, OwnerId, Share, Text
from api.serializers.sessions import MOST_MESSAGES

IGNORED = frozenset(
    {
        *("org_id", "project_id", "version", "api_version", "output_format"),
        *("async_mode", "enable_graph", "keyword_search", "latest_only", "immutable"),
        *("custom_categories", "custom_instructions", "agent_custom_instructions"),
        *("structured_data_schema", "includes", "excludes", "timezone", "prompt"),
        *("observation_date", "filter_memories", "explain", "memory_type", "name"),
        *("only_metadata_based_search", "source", "event_type", "sort"),
    }
)
MOST_FOUND = 1000
MOST_AT_ONCE = 1000
DEFAULT_FOUND = 10
DEFAULT_PAGE = 100


class LooseInput(Input):
    """An object of mem0's; null is like nothing, except where `nullable` says not."""

    nullable: ClassVar[frozenset[str]] = frozenset()

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Return the checked values without what is ignored here."""
        if isinstance(data, Mapping):
            data = {
                name: value
                for name, value in data.items()
                if not self._is_left_aside(name, value)
            }
        return super().run_validation(data)

    def _is_left_aside(self, name: str, value: Any) -> bool:
        if name in self.fields:
            return value is None and name not in self.nullable
        return name in IGNORED


class Count(serializers.IntegerField):
    """A whole number, in a query string too; a larger one than allowed is the most."""

    def __init__(self, most: int, **options: Any) -> None:
        self.most = most
        super().__init__(min_value=1, required=False, **options)

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool):
            self.fail("invalid")
        return min(super().to_internal_value(data), self.most)


class Switch(serializers.BooleanField):
    """True or false, in a query string too."""


class Name(OwnerId):
    """An entity's id."""

    def __init__(self) -> None:
        super().__init__(required=False)


class NamedInput(LooseInput):
    """Whose: the four entities at the top, or in `filters`."""

    user_id = Name()
    agent_id = Name()
    app_id = Name()
    run_id = Name()
    filters = serializers.JSONField(required=False)


class AddInput(NamedInput):
    """Messages to keep something of."""

    messages = serializers.JSONField()
    metadata = Metadata(required=False)
    infer = Flag(required=False)
    timestamp = Timestamp(required=False, past=True)
    expiration_date = LastDay(required=False)

    def validate_messages(self, sent: Any) -> list[dict[str, Any]]:
        """Return a list of messages; a text alone is one message of the user."""
        messages = [sent] if isinstance(sent, str | dict) else sent
        if not isinstance(messages, list) or not 0 < len(messages) <= MOST_MESSAGES:
            raise serializers.ValidationError("Send 1 to 200 messages.", "invalid")
        read = [
            {"role": "user", "content": one} if isinstance(one, str) else one
            for one in messages
        ]
        return [MessageInput().run_validation(one) for one in read]


class MessageInput(LooseInput):
    """One message; of a list of parts the texts count."""

    role = Text(required=False, max_length=50)
    content = serializers.JSONField(required=False)
    name = Text(required=False, max_length=200)

    def _is_left_aside(self, name: str, value: Any) -> bool:
        return name not in self.fields or value is None

    def validate_content(self, sent: Any) -> str:
        """Return the text of a message."""
        parts = sent if isinstance(sent, list) else [sent]
        texts = [one.get("text") if isinstance(one, dict) else one for one in parts]
        said = "\n".join(one for one in texts if isinstance(one, str))
        text: str = Text(allow_blank=True, max_length=32_000).run_validation(said)
        return text


class NarrowedInput(NamedInput):
    """Which memories, beside whose."""

    categories = serializers.JSONField(required=False)
    metadata = serializers.JSONField(required=False)
    show_expired = Switch(required=False)
    fields_ = serializers.ListField(required=False, child=Text(max_length=50))
    top_k = Count(MOST_FOUND)
    limit = Count(MOST_FOUND)

    def get_fields(self) -> dict[str, Any]:
        """Return the fields; `fields` itself is a name of the serializer's."""
        found = super().get_fields()
        found["fields"] = found.pop("fields_")
        return found


class SearchInput(NarrowedInput):
    """A question."""

    query = Text(visible=True, min_length=1, max_length=1000)
    threshold = Share(required=False)
    rerank = Flag(required=False)
    reference_date = AnyMoment(required=False)
    page = Count(10_000)
    page_size = Count(MOST_FOUND)


class ListInput(NarrowedInput):
    """A list, page by page."""

    page = Count(1_000_000)
    page_size = Count(MOST_FOUND)
    start_date = FirstMoment(required=False)
    end_date = AnyMoment(required=False)
    keywords = Text(required=False, max_length=200)


class DeleteAllInput(NamedInput):
    """Whose memories go."""

    metadata = serializers.JSONField(required=False)


class UpdateInput(LooseInput):
    """What to change in a memory."""

    nullable = frozenset({"expiration_date"})

    text = Text(required=False, visible=True, min_length=1, max_length=8000)
    data = Text(  # type: ignore[assignment]
        required=False, visible=True, min_length=1, max_length=8000
    )
    memory = Text(required=False, visible=True, min_length=1, max_length=8000)
    metadata = Metadata(required=False)
    timestamp = Timestamp(required=False, past=True)
    expiration_date = LastDay(required=False, allow_null=True)


class BatchInput(LooseInput):
    """Many changes or deletions; each is looked at by itself."""

    memories = serializers.ListField(min_length=1, max_length=MOST_AT_ONCE)


class UpdateOfOneInput(UpdateInput):
    """One change of a batch."""

    memory_id = Text(max_length=100)


class DeletionInput(LooseInput):
    """One deletion of a batch."""

    memory_id = Text(max_length=100)


class FeedbackInput(LooseInput):
    """A verdict on one memory."""

    memory_id = Text(max_length=100)
    feedback = Text(max_length=20)
    feedback_reason = Text(required=False, allow_blank=True, max_length=1000)


def named(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the entities that an add names, at the top or as plain filters."""
    found = {name: values[name] for name in ENTITIES if name in values}
    sent = values.get("filters")
    inside = sent if isinstance(sent, Mapping) else {}
    for name in ENTITIES:
        if isinstance(inside.get(name), str) and name not in found:
            found[name] = Name().run_validation(inside[name])
    if not owner_id_among(found):
        raise OwnerNeeded()
    return found
