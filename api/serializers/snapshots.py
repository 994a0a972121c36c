"""What an agent may order as a snapshot."""

from api.serializers.base import Input
from api.serializers.fields import Flag, OwnerId, Text
from api.serializers.queries import QueryInteger


class SnapshotInput(Input):
    """What is to be in it; everything that the token may read, unless narrowed."""

    owner_id = OwnerId(required=False)
    namespace = Text(required=False, min_length=1, max_length=100)
    ascii = Flag(required=False)
    embeddings = Flag(required=False)


class PartQuery(Input):
    """Which part; the whole file without it."""

    part = QueryInteger(required=False, min_value=0)
