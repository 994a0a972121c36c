"""What may stand in a query string."""

import re
from typing import Any

from api.serializers.base import Input
from api.serializers.fields import Choice, Integer, OneOrMany, OwnerId, Text
from memory_core.contracts.enums import CATEGORIES, SourceKind, Status, Tier

LARGEST_PAGE = 200
STATUSES = [status.word for status in Status]


class QueryInteger(Integer):
    """Digits."""

    def to_internal_value(self, data: Any) -> int:
        if not isinstance(data, str) or not re.fullmatch(r"[0-9]{1,9}", data):
            self.fail("invalid")
        return super().to_internal_value(int(data))


def repeated(child: Any) -> OneOrMany:
    """Return the field of a parameter that may occur several times."""
    return OneOrMany(child, in_query=True, required=False)


class OwnerQuery(Input):
    """Whose."""

    owner_id = OwnerId()


class ListQuery(Input):
    """Which memories of an owner; every status unless one is named."""

    owner_id = OwnerId()
    category = repeated(Choice(CATEGORIES))
    status = repeated(Choice(STATUSES))
    source_kind = repeated(Choice(SourceKind.values))
    tier = repeated(Choice(Tier.values))
    tags = repeated(Text(min_length=1, max_length=100))
    namespaces = repeated(Text(min_length=1, max_length=100))
    session_id = Text(required=False, min_length=1, max_length=200)
    external_id = Text(required=False, min_length=1, max_length=200)
    cursor = Text(required=False, min_length=1, max_length=200)
    limit = QueryInteger(required=False, min_value=1, max_value=LARGEST_PAGE)
