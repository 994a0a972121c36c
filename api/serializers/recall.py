"""What an agent may ask."""

from rest_framework import serializers

from api.serializers.base import Input
from api.serializers.fields import (
    Choice,
    Flag,
    Integer,
    Metadata,
    Moment,
    OneOrMany,
    OwnerId,
    Share,
    Text,
)
from memory_core.contracts.enums import CATEGORIES, SourceKind, Tier

LONGEST_QUERY = 1000
MOST_MEMORIES = 100


class FilterInput(Input):
    """Which memories may be found at all."""

    category = OneOrMany(Choice(CATEGORIES), required=False)
    tags = OneOrMany(Text(min_length=1, max_length=100), required=False)
    source_kind = OneOrMany(Choice(SourceKind.values), required=False)
    tier = OneOrMany(Choice(Tier.values), required=False)
    occurred_after = Moment(required=False, allow_null=True)
    occurred_before = Moment(required=False, allow_null=True)
    metadata = Metadata(required=False)


class RecallInput(Input):
    """One question about one owner's memories."""

    owner_id = OwnerId()
    query = Text(visible=True, min_length=1, max_length=LONGEST_QUERY)
    top_k = Integer(required=False, min_value=1, max_value=MOST_MEMORIES)
    filter = FilterInput(required=False)
    namespaces = serializers.ListField(
        required=False,
        max_length=100,
        child=Text(min_length=1, max_length=100),
    )
    min_score = Share(required=False, allow_null=True)
    token_budget = Integer(
        required=False, allow_null=True, min_value=1, max_value=10**6
    )
    as_of = Moment(required=False, allow_null=True)
    session_id = Text(required=False, allow_blank=True, max_length=200)
    purpose = Choice(("answer", "sensitive_action"), required=False)
    explain = Flag(required=False)
    touch = Flag(required=False)
    include = serializers.ListField(
        required=False, max_length=1, child=Choice(("archived",))
    )
    rerank = Choice(("none", "llm"), required=False)
