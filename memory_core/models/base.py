"""What every model shares."""

from uuid import UUID

from uuid_utils.compat import uuid7


def new_id() -> UUID:
    """Return a fresh UUIDv7: unguessable enough, and ordered by time."""
    return uuid7()
