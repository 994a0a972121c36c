"""What may be asked of exports and imports, all of it in the query string."""

from typing import Any

from api.serializers.base import Input
from api.serializers.fields import Choice, Flag, OwnerId, Text
from api.serializers.queries import QueryInteger

WORDS = {"true": True, "1": True, "false": False, "0": False}


class QueryFlag(Flag):
    """true or false, as a query string has it."""

    def to_internal_value(self, data: Any) -> bool:
        if data not in WORDS:
            self.fail("invalid", input="")
        return WORDS[data]


class ExportQuery(Input):
    """What to export; everything that the token may read, unless narrowed."""

    owner_id = OwnerId(required=False)
    namespace = Text(required=False, min_length=1, max_length=100)
    ascii = QueryFlag(required=False)
    embeddings = QueryFlag(required=False)
    part = QueryInteger(required=False, min_value=0)


class ImportQuery(Input):
    """How to import; `namespace` redirects every line."""

    namespace = Text(required=False, min_length=1, max_length=100)
    dry_run = QueryFlag(required=False)
    age = Choice(("touch", "keep"), required=False)
