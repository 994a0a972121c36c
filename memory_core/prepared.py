"""Server-side prepared statements for the hot paths, on the open transaction.

psycopg's own cursor costs a third of what the ORM's does, and a statement that is
prepared once is parsed once. Within a transaction of `isolation` its plan is kept too.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import DEFAULT_DB_ALIAS, connections

ONLY_WHEN_ASKED = 1_000_000
"""Uses after which psycopg would prepare a statement unasked."""

Values = Sequence[Any] | Mapping[str, Any]


def fetch(statement: str, values: Values = ()) -> list[tuple[Any, ...]]:
    """Return all rows that the statement gives."""
    return _executed(statement, values).fetchall()


def run(statement: str, values: Values = ()) -> None:
    """Run a statement whose answer does not matter."""
    _executed(statement, values)


def fetch_each(*statements: tuple[str, Values]) -> list[list[tuple[Any, ...]]]:
    """Return the rows of several statements; `in_one_go` they are sent together."""
    cursors = [_executed(statement, values) for statement, values in statements]
    with connections[DEFAULT_DB_ALIAS].wrap_database_errors:
        return [cursor.fetchall() for cursor in cursors]


@contextmanager
def in_one_go() -> Iterator[None]:
    """Run the block in pipeline mode: statements are sent without waiting for results.

    Only this module's functions may be used in it, not the ORM.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    connection.ensure_connection()
    with connection.wrap_database_errors, connection.connection.pipeline():
        yield


def _executed(statement: str, values: Values) -> psycopg.Cursor[tuple[Any, ...]]:
    connection = connections[DEFAULT_DB_ALIAS]
    connection.ensure_connection()
    driver: psycopg.Connection[tuple[Any, ...]] = connection.connection
    driver.prepare_threshold = driver.prepare_threshold or ONLY_WHEN_ASKED
    with connection.wrap_database_errors:
        cursor = psycopg.Cursor(driver)
        cursor.execute(statement, values, prepare=True, binary=True)
        return cursor
