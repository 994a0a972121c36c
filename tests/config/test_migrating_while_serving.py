"""The database is brought to the next release while this one answers."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from memory_core.config import roles
from memory_core.saving import vectors
from tests.api.http import post
from tests.api.server import LiveServer
from tests.factories import make_token

pytestmark = [pytest.mark.server, pytest.mark.django_db(transaction=True)]
CALLERS = 3
ASK = {"query": "which fact?"}
NEXT = (
    "ALTER TABLE memory_core_memory ADD COLUMN of_tomorrow integer",
    "ALTER TABLE memory_core_owner ADD COLUMN of_tomorrow text DEFAULT '' NOT NULL",
)
"""What a later release may do in its first step, a table in each transaction: this
one's statements name their columns, and what they leave out has a value."""
BACK = (
    "ALTER TABLE memory_core_memory DROP COLUMN IF EXISTS of_tomorrow",
    "ALTER TABLE memory_core_owner DROP COLUMN IF EXISTS of_tomorrow",
)


def test_saves_and_recalls_go_on_through_migrations_and_new_policies():
    vectors.ensure_model()
    token = make_token("ann", namespace="shop", shared={"shop": "rw"}, rate=1_000)
    server = LiveServer()
    stop, seen = threading.Event(), []

    def keep_calling(number: int) -> None:
        count = 0
        while not stop.is_set():
            count += 1
            owner = f"owner {number} {count % 5}"
            fact = {"owner_id": owner, "content": f"Fact {count} of {number}"}
            seen.append(post(server, token, "save", fact))
            seen.append(post(server, token, "recall", {**ASK, "owner_id": owner}))

    try:
        with ThreadPoolExecutor(CALLERS) as pool:
            for number in range(CALLERS):
                pool.submit(keep_calling, number)
            try:
                _wait_for(seen, 12)
                _run(NEXT)
                call_command("migrate", verbosity=0)
                roles.put_in_place(key=settings.DIGEST_KEY)
                with connection.cursor() as cursor:
                    cursor.execute(
                        "CREATE INDEX CONCURRENTLY of_tomorrow"
                        " ON memory_core_memory (of_tomorrow)"
                    )
                _wait_for(seen, len(seen) + 12)
            finally:
                stop.set()
    finally:
        stop.set()
        server.stop()
        _run(BACK)
    assert [told for told in seen if told[0] not in (200, 201)] == []


def _run(statements: tuple[str, ...]) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def _wait_for(seen: list[object], count: int) -> None:
    end = time.monotonic() + 300
    while len(seen) < count:
        assert time.monotonic() < end
        time.sleep(0.05)
