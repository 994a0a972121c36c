"""Whether a store is so large that pages answer before all is counted."""

from django.db import connection

from memory_core.models import Memory

LARGE = 100_000
"""Memories; up to here a count over all of them is a matter of tenths of a second."""


def is_large() -> bool:
    """Return whether there are more memories than that, as the planner estimates."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT reltuples FROM pg_class WHERE oid = %s::regclass",
            [Memory._meta.db_table],
        )
        return bool(cursor.fetchone()[0] > LARGE)
