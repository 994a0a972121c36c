"""A cold copy in a folder of the test's own, and a database that gets lost."""

import time

import pytest
from django.db import connection
from django.utils import timezone

from memory_core.actions import access
from memory_core.saving import lookups
from memory_core.snapshots.cold import draining
from tests.snapshots.conftest import here, say, there  # noqa: F401 - fixtures


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.COLD_DIR = tmp_path / "cold"
    return settings.COLD_DIR


@pytest.fixture
def drain():
    def drain():
        end = time.monotonic() + 60
        return draining.drain(now=timezone.now(), until=end)

    return drain


def lose_everything():
    """Empty every table that holds what agents and people made."""
    kept = ("category", "embeddingmodel", "rankingprofile", "auditentry", "auditseal")
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tablename FROM pg_tables WHERE tablename LIKE 'memory_core_%'"
            " OR tablename LIKE 'moderation_%'"
        )
        names = [name for (name,) in cursor.fetchall()]
        gone = [n for n in names if n.removeprefix("memory_core_") not in kept]
        cursor.execute(f"SET CONSTRAINTS ALL IMMEDIATE; TRUNCATE {', '.join(gone)}")
    lookups.forget()
    access.forget_cached()
