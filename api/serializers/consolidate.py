"""What a consolidation is asked to do."""

from api.serializers.base import Input
from api.serializers.fields import Flag, OwnerId, Text


class ConsolidateInput(Input):
    """Where to tidy up: everywhere the token may write, unless narrowed."""

    namespace = Text(required=False, min_length=1, max_length=100)
    owner_id = OwnerId(required=False)
    dry_run = Flag(required=False)
