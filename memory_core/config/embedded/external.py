"""Servers that the operator runs: asked before anything of ours starts."""

import psycopg
import redis

from memory_core.config.embedded.errors import CannotStart

OLDEST = 160000  # PostgreSQL 16, as server_version_num


def check_postgres(url: str) -> None:
    """Raise CannotStart unless the server answers, is new enough and has pgvector."""
    try:
        with psycopg.connect(url, connect_timeout=5, autocommit=True) as connection:
            version = connection.info.server_version
            if version < OLDEST:
                raise CannotStart(
                    f"DATABASE_URL names PostgreSQL {version // 10000}; "
                    f"Mneme needs {OLDEST // 10000} or newer."
                )
            _ensure_vector(connection)
    except psycopg.OperationalError as error:
        reason = str(error).strip().splitlines()[0]
        raise CannotStart(
            f"The PostgreSQL server in DATABASE_URL does not answer: {reason}"
        ) from error


def _ensure_vector(connection: psycopg.Connection) -> None:
    try:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except psycopg.Error as error:
        raise CannotStart(
            "The database in DATABASE_URL has no pgvector and its user may not add it; "
            "let its administrator run there: CREATE EXTENSION vector"
        ) from error


def redis_answers(url: str) -> bool:
    """Return whether the server in REDIS_URL answers; CannotStart if it is no address.

    A silent one is no reason to stay down: saves and recalls work without it.
    """
    try:
        client = redis.Redis.from_url(url, socket_timeout=5, socket_connect_timeout=5)
    except ValueError as error:
        raise CannotStart(f"REDIS_URL is not an address: {error}.") from error
    try:
        return bool(client.ping())
    except redis.RedisError:
        return False
    finally:
        client.close()
