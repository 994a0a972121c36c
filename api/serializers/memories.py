"""What an agent may send to save or change a memory."""

from typing import Any

from rest_framework import serializers

from api.serializers.base import Input
from api.serializers.fields import (
    Choice,
    Integer,
    MemoryId,
    Metadata,
    Moment,
    OwnerId,
    Share,
    Text,
)
from memory_core.contracts.enums import CATEGORIES, SourceKind, Tier
from memory_core.contracts.limits import MOST_ENTITIES, MOST_RELATED, MOST_TAGS

LONGEST_CONTENT = 8000
LARGEST_POSITION = 2**31 - 1
MOST_ITEMS = 200


def tags_field(**options: Any) -> serializers.ListField:
    """Return the field of tags: up to 50 short strings."""
    child = Text(min_length=1, max_length=100, visible=True)
    return serializers.ListField(child=child, max_length=MOST_TAGS, **options)


class SourceInput(Input):
    """Where it comes from, as the caller claims it."""

    kind = Choice(SourceKind.values)
    name = Text(required=False, allow_blank=True, max_length=200)


class StatementInput(Input):
    """What a save and an update have in common; nothing is required here."""

    content = Text(
        required=False, visible=True, min_length=1, max_length=LONGEST_CONTENT
    )
    category = Choice(CATEGORIES, required=False)
    subject = Text(required=False, allow_blank=True, max_length=200)
    entities = serializers.ListField(
        required=False,
        max_length=MOST_ENTITIES,
        child=Text(min_length=1, max_length=200, visible=True),
    )
    tags = tags_field(required=False)
    importance = Share(required=False)
    confidence = Share(required=False)
    tier = Choice(Tier.values, required=False)
    occurred_at = Moment(required=False, allow_null=True)
    expire_at = Moment(required=False, allow_null=True)
    metadata = Metadata(required=False)
    related = serializers.ListField(
        required=False, max_length=MOST_RELATED, child=MemoryId()
    )


class SaveInput(StatementInput):
    """One memory to save."""

    owner_id = OwnerId()
    content = Text(visible=True, min_length=1, max_length=LONGEST_CONTENT)
    source = SourceInput(required=False)  # type: ignore[assignment]
    namespace = Text(required=False, min_length=1, max_length=100)
    observed_at = Moment(required=False, allow_null=True, past=True)
    external_id = Text(required=False, allow_blank=True, max_length=200)
    session_id = Text(required=False, allow_blank=True, max_length=200)
    position = Integer(
        required=False, allow_null=True, min_value=0, max_value=LARGEST_POSITION
    )


class BatchInput(Input):
    """Up to 200 memories; each is judged by itself, so they are not checked here."""

    items = serializers.ListField(min_length=1, max_length=MOST_ITEMS)


class UpdateInput(StatementInput):
    """What to change in one memory; fields that are left out stay as they are."""

    owner_id = OwnerId()
    memory_id = MemoryId()
    expected_version = Integer(required=False, min_value=1, max_value=LARGEST_POSITION)


class MemoryInput(Input):
    """One memory of one owner."""

    owner_id = OwnerId()
    memory_id = MemoryId()


class RollbackInput(MemoryInput):
    """Which earlier version to bring back."""

    version = Integer(min_value=1, max_value=LARGEST_POSITION)


class DeleteInput(MemoryInput):
    """What to delete, and why (the audit log keeps a digest of the reason, no text)."""

    reason = Text(required=False, allow_blank=True, max_length=500)
