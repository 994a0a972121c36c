"""One embedded PostgreSQL and one Valkey for the whole test run."""

import shutil
from collections.abc import Iterator

import pytest
import redis

from memory_core.config.embedded import (
    PostgresHandle,
    ValkeyHandle,
    start_postgres,
    start_valkey,
)
from tests.plugins.environment import temporary_home


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresHandle]:
    """The running PostgreSQL; only tests with a database start it."""
    server = start_postgres(temporary_home())
    yield server
    server.stop()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(postgres_server: PostgresHandle) -> None:
    """Start the server before the test database is made."""


@pytest.fixture(scope="session", autouse=True)
def valkey_server() -> Iterator[ValkeyHandle]:
    """The running Valkey."""
    server = start_valkey(temporary_home())
    yield server
    server.stop()


@pytest.fixture(scope="session")
def _valkey_client(valkey_server: ValkeyHandle) -> Iterator[redis.Redis]:
    client = redis.Redis.from_url(valkey_server.url)
    yield client
    client.close()


@pytest.fixture(autouse=True)
def _empty_valkey(_valkey_client: redis.Redis) -> None:
    """No test sees windows, limits or touches of another one."""
    _valkey_client.flushall()


def pytest_unconfigure() -> None:
    """Remove what the run left on the disk."""
    shutil.rmtree(temporary_home(), ignore_errors=True)
