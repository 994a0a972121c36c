"""What every test may use: servers, database roles, a world of agents and owners."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import CommandError, call_command
from django.core.management.commands.flush import Command as EmptyTables
from django.db import connection
from django.test import TransactionTestCase
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from memory_core.actions import access
from memory_core.config import roles
from memory_core.recall import indexes
from memory_core.saving import lookups, vectors

pytest_plugins = ["tests.plugins.servers", "tests.plugins.services"]

MEETINGS = 10
FORGETTERS = (
    access.forget_cached,
    lookups.forget,
    vectors.forget,
    indexes.forget_known,
)

# How fast the machine is says nothing of what a property test looks for.
hypothesis_settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.load_profile("any machine")


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    """The test database with the same roles and policies as a real one."""
    with django_db_blocker.unblock():
        roles.put_in_place(key=settings.DIGEST_KEY)
    empty = TransactionTestCase._fixture_teardown

    def empty_and_seed(self: TransactionTestCase) -> None:
        _end_forgotten_transactions()
        with _append_only_switched_off():
            _empty_all_tables()
        import_module("memory_core.migrations.0003_categories").add_categories(
            apps, None
        )

    TransactionTestCase._fixture_teardown = empty_and_seed
    yield
    TransactionTestCase._fixture_teardown = empty
    with django_db_blocker.unblock():
        _end_other_sessions()


def _end_forgotten_transactions() -> None:
    """What a thread of the test left open would keep the tables for ever."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND state LIKE 'idle in transaction%'"
        )


def _end_other_sessions() -> None:
    """Threads of the tests may still be connected when the database is dropped."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def _empty_all_tables() -> None:
    """What Django's own `flush` does; ours of that name writes recall notes.

    A server of the tests may still answer a page that nobody waits for, and meet it.
    """
    for attempt in range(1, MEETINGS + 1):
        try:
            return call_command(
                EmptyTables(),
                verbosity=0,
                interactive=False,
                allow_cascade=True,
                reset_sequences=False,
                inhibit_post_migrate=False,
            )
        except CommandError:
            if attempt == MEETINGS:
                raise


@contextmanager
def _append_only_switched_off() -> Iterator[None]:
    """Let the tests' clean-up, and nothing else, empty the audit tables."""
    for switch in ("DISABLE", "ENABLE"):
        with connection.cursor() as cursor:
            for name in ("auditentry", "auditseal"):
                cursor.execute(f"ALTER TABLE memory_core_{name} {switch} TRIGGER USER")
        if switch == "DISABLE":
            yield


@pytest.fixture(autouse=True)
def _fresh_files():
    """No test finds the keys an earlier one destroyed, or the files it left."""
    yield
    shutil.rmtree(Path(settings.KEYS_DIR) / "data", ignore_errors=True)
    for name in ("quarantine", "uploads", "imports"):
        shutil.rmtree(Path(settings.HOME) / name, ignore_errors=True)


@pytest.fixture(autouse=True)
def _fresh_caches():
    """No test sees tokens, owners, categories or spaces that another one cached."""
    _forget_all()
    yield
    _forget_all()


def _forget_all() -> None:
    for forget in FORGETTERS:
        forget()
