"""Approximate indexes for the few owners whose exact search would take too long.

Each is an HNSW over one owner's vectors in one space. One index over everybody's
would lose most rows of small owners and make every save several times dearer.
"""

from collections.abc import Sequence
from threading import Lock
from typing import Any

import psycopg
from cachetools import TTLCache, cached
from django.conf import settings
from django.db import connection
from psycopg import sql

from memory_core.config import databases
from memory_core.config.env import DATABASE_URL
from memory_core.prepared import fetch

PREFIX = "memoryvector_near_"
SEARCH_WIDTH = 400
"""Neighbours that the search keeps in view (`hnsw.ef_search`)."""
SEARCH_SETTINGS = f"""
SELECT set_config('hnsw.iterative_scan', 'strict_order', true),
  set_config('hnsw.ef_search', '{SEARCH_WIDTH}', true),
  set_config('enable_sort', 'off', true)
"""
AFTER_SEARCH = "SELECT set_config('enable_sort', 'on', true)"
CACHE_SECONDS = 30.0
BUILD_MEMORY = "256MB"
SHRUNK = 0.5
"""An index goes when its owner has fewer rows than this share of the threshold."""


def name_of(owner: int, model_id: int) -> str:
    """Return the name of an owner's index in a space."""
    return f"{PREFIX}{owner}_{model_id}"


def exists(owner: int, model_id: int) -> bool:
    """Return whether the owner has a usable index; known for half a minute."""
    return name_of(owner, model_id) in _usable(str(connection.settings_dict["NAME"]))


def forget_known() -> None:
    """Clear the cache of known indexes."""
    _usable.cache_clear()


def keep_in_step(*, threshold: int) -> dict[str, list[str]]:
    """Make the indexes that owners past `threshold` rows lack, drop the outlived ones.

    Returns the names made and dropped. Runs as the database's owner, outside any
    transaction, without blocking reads or writes.
    """
    made, dropped = [], []
    with as_owner() as database:
        database.execute(f"SET maintenance_work_mem = '{BUILD_MEMORY}'")
        usable = {str(row[0]) for row in database.execute(USABLE)}
        every = {str(row[0]) for row in database.execute(ALL)}
        wanted = database.execute(CROWDED, [int(threshold * SHRUNK)]).fetchall()
        kept = {name_of(owner, model) for owner, model, _, _ in wanted}
        for name in sorted(every - kept | (every - usable)):
            _drop(name, database)
            dropped.append(name)
        for owner, model, size, rows in wanted:
            if rows >= threshold and name_of(owner, model) not in usable:
                made.append(_make(database, owner, model, size))
    forget_known()
    return {"made": made, "dropped": dropped}


def _drop(name: str, database: "psycopg.Connection[tuple[Any, ...]]") -> None:
    statement = sql.SQL("DROP INDEX CONCURRENTLY IF EXISTS {}")
    database.execute(statement.format(sql.Identifier(name)))


USABLE = f"""
SELECT c.relname FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid
WHERE starts_with(c.relname, '{PREFIX}') AND i.indisvalid
"""
ALL = f"""
SELECT relname FROM pg_class WHERE starts_with(relname, '{PREFIX}') AND relkind = 'i'
"""
CROWDED = """
SELECT c.owner_id, e.id, e.dimensions, sum(c.memories)::bigint
FROM memory_core_corpus c CROSS JOIN memory_core_embeddingmodel e
GROUP BY 1, 2, 3 HAVING sum(c.memories) >= %s
"""


@cached(TTLCache(4, CACHE_SECONDS), lock=Lock())
def _usable(database: str) -> frozenset[str]:
    """Return the indexes of the connection's `database`, by name."""
    return frozenset(str(row[0]) for row in fetch(USABLE, []))


def _make(
    database: "psycopg.Connection[tuple[Any, ...]]",
    owner: int,
    model: int,
    size: int,
) -> str:
    name = name_of(owner, model)
    database.execute(
        sql.SQL(
            "CREATE INDEX CONCURRENTLY IF NOT EXISTS {name} ON memory_core_memoryvector"
            " USING hnsw ((vector::halfvec({size})) halfvec_cosine_ops)"
            " WITH (m = 24, ef_construction = 200)"
            " WHERE owner_id = {owner} AND model_id = {model}"
        ).format(
            name=sql.Identifier(name),
            size=sql.Literal(size),
            owner=sql.Literal(owner),
            model=sql.Literal(model),
        )
    )
    return name


def drop_of(
    owners: Sequence[int], database: "psycopg.Connection[tuple[Any, ...]]"
) -> list[str]:
    """Drop the indexes of these owners, through `as_owner`; return their names."""
    every = [str(row[0]) for row in database.execute(ALL)]
    fronts = tuple(f"{PREFIX}{owner}_" for owner in owners)
    gone = [name for name in every if name.startswith(fronts)]
    for name in gone:
        _drop(name, database)
    forget_known()
    return gone


def as_owner() -> "psycopg.Connection[tuple[Any, ...]]":
    """Return a connection as the owner of the tables: jobs may not make indexes."""
    here = connection.settings_dict
    owner = databases.database(
        DATABASE_URL.read(), process="owner", key=settings.DIGEST_KEY
    )
    return psycopg.connect(
        host=here["HOST"] or None,
        port=here["PORT"] or None,
        dbname=here["NAME"],
        user=owner["USER"] or None,
        password=owner["PASSWORD"] or None,
        autocommit=True,
    )
