"""The floors: the same work by one bare psycopg connection, without the service."""

import time
from collections.abc import Sequence
from uuid import UUID

import numpy as np
import psycopg
from pgvector import HalfVector
from pgvector.psycopg import register_vector
from psycopg import sql
from psycopg.types.json import Jsonb
from uuid_utils.compat import uuid7

NEAREST = 10
SEARCH = """
SELECT memory_id, vector <=> %s AS distance FROM memory_core_memoryvector
WHERE owner_id = %s AND model_id = %s AND namespace_id = %s AND status = 1
ORDER BY distance LIMIT %s
"""


def connect(url: str) -> "psycopg.Connection[tuple[object, ...]]":
    """Return a connection set up as the service's own are."""
    connection = psycopg.connect(
        url,
        options="-c plan_cache_mode=force_custom_plan -c jit=off"
        " -c max_parallel_workers_per_gather=0",
    )
    register_vector(connection)
    return connection


def search_ms(
    connection: "psycopg.Connection[tuple[object, ...]]",
    vectors: Sequence[np.ndarray],
    owner: int,
    model: int,
    namespace: int,
) -> float:
    """Return the median milliseconds of the nearest ten of one owner."""
    taken = []
    for vector in vectors:
        values = (HalfVector(vector), owner, model, namespace, NEAREST)
        before = time.perf_counter()
        connection.execute(SEARCH, values, binary=True).fetchall()
        taken.append((time.perf_counter() - before) * 1_000)
    return float(np.median(taken))


def exact_nearest(
    connection: "psycopg.Connection[tuple[object, ...]]",
    vector: np.ndarray,
    owner: int,
    model: int,
    namespace: int,
) -> set[str]:
    """Return the true nearest ten, by a scan of the table without any index."""
    with connection.transaction():
        for kind in ("indexscan", "indexonlyscan", "bitmapscan"):
            connection.execute(f"SET LOCAL enable_{kind} = off")
        values = (HalfVector(vector), owner, model, namespace, NEAREST)
        rows = connection.execute(SEARCH, values).fetchall()
    return {str(row[0]) for row in rows}


OF_A_SAVE = ("memory", "memoryuse", "memoryvector", "memoryterm", "auditentry")


def insert_ms(
    connection: "psycopg.Connection[tuple[object, ...]]", memory_ids: Sequence[UUID]
) -> float:
    """Return the median milliseconds of inserting the rows of a save.

    They are the rows of memories that the service stored, under new ids: prepared
    statements, one a table, one transaction a memory.
    """
    taken = []
    for memory_id in memory_ids:
        fresh = uuid7()
        rows = {table: _rows_of(connection, table, memory_id) for table in OF_A_SAVE}
        connection.commit()
        before = time.perf_counter()
        for table, (columns, found) in rows.items():
            _insert(connection, table, columns, _renamed(columns, found, fresh))
        connection.commit()
        taken.append((time.perf_counter() - before) * 1_000)
    return float(np.median(taken))


def _rows_of(
    connection: "psycopg.Connection[tuple[object, ...]]", table: str, memory_id: UUID
) -> tuple[list[str], list[tuple[object, ...]]]:
    key = "id" if table == "memory" else "memory_id"
    is_numbered = table == "auditentry"
    columns = [
        str(row[0])
        for row in connection.execute(
            "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass"
            " AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
            [f"memory_core_{table}"],
        )
        if not (is_numbered and row[0] == "id")
    ]
    names = sql.SQL(", ").join(map(sql.Identifier, columns))
    statement = sql.SQL("SELECT {} FROM {} WHERE {} = %s").format(
        names, sql.Identifier(f"memory_core_{table}"), sql.Identifier(key)
    )
    return columns, connection.execute(statement, [memory_id]).fetchall()


def _renamed(
    columns: Sequence[str], rows: Sequence[tuple[object, ...]], fresh: UUID
) -> list[list[object]]:
    own = {"id", "memory_id"}
    return [
        [
            fresh if name in own else Jsonb(value) if isinstance(value, dict) else value
            for name, value in zip(columns, row, strict=True)
        ]
        for row in rows
    ]


def _insert(
    connection: "psycopg.Connection[tuple[object, ...]]",
    table: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
) -> None:
    if not rows:
        return
    names = ", ".join(f'"{name}"' for name in columns)
    one = f"({', '.join(['%s'] * len(columns))})"
    places = ", ".join([one] * len(rows))
    connection.execute(
        f"INSERT INTO memory_core_{table} ({names}) VALUES {places}",
        [value for row in rows for value in row],
        prepare=True,
    )
