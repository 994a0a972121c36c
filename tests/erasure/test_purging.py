"""What was deleted leaves tables and indexes before anybody says so."""

from pathlib import Path

import psycopg
import pytest
from django.db import connection

from memory_core import valkey
from memory_core.actions import erasure
from memory_core.contracts.erasure import RunState
from memory_core.erasure import purging, running
from memory_core.models import ErasureRun
from memory_core.recall import indexes
from tests.erasure.conftest import NAME, OTHER, begin, settled, work

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _where(monkeypatch):
    """The maintenance connection goes to the test's database, as its owner."""
    where = connection.settings_dict
    address = f"postgresql://{where['USER']}@/{where['NAME']}?host={where['HOST']}"
    monkeypatch.setenv("DATABASE_URL", address)
    indexes.forget_known()
    yield
    indexes.forget_known()


def purge(ref):
    settled(ref)
    run = ErasureRun.objects.get(ref=ref)
    return running.work(run.pk, until=0.0)


def test_the_indexes_are_purged_after_the_erasure_and_said_apart(person, say):
    say("The neighbour likes coffee", OTHER)
    ref = begin()
    run = work(ref)
    assert run.state == RunState.LIVE_ERASED
    assert run.index_purged_at is None
    assert dead("memory_core_memory") >= 2
    assert purge(ref).index_purged_at > run.live_erased_at
    assert dead("memory_core_memory") == 0
    assert dead("memory_core_memoryterm") == 0


def dead(table):
    """Deleted rows that a vacuum would find."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE EXTENSION IF NOT EXISTS pgstattuple")
        cursor.execute("SELECT dead_tuple_count FROM pgstattuple(%s)", [table])
        found = cursor.fetchone()[0]
        cursor.execute("DROP EXTENSION pgstattuple")
    return found


def test_nothing_is_called_purged_while_a_reader_may_still_see_it(person):
    """A report that began before the deletion still reads the old rows."""
    with reader() as old:
        seen = old.execute("SELECT count(*) FROM memory_core_memory").fetchone()
        ref = begin()
        assert work(ref).state == RunState.LIVE_ERASED
        assert purge(ref).index_purged_at is None
        again = old.execute("SELECT count(*) FROM memory_core_memory").fetchone()
        assert again == seen == (2,)
    assert purge(ref).index_purged_at is not None


def test_nothing_is_called_purged_before_copies_of_the_database_followed(person):
    """The slot of a standby that is away says how far it had come."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_create_physical_replication_slot('away', true)")
    try:
        ref = begin()
        assert work(ref).state == RunState.LIVE_ERASED
        run = purge(ref)
        assert run.index_purged_at is None
        assert run.error == running.COPIES_BEHIND
        assert dead("memory_core_memory") == 0
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_drop_replication_slot('away')")
    run = purge(ref)
    assert (run.index_purged_at is not None, run.error) == (True, "")


def reader():
    where = connection.settings_dict
    other = psycopg.connect(
        host=where["HOST"], dbname=where["NAME"], user=where["USER"]
    )
    other.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
    return other


def test_the_persons_own_index_is_dropped_and_no_other(person, say):
    say("The neighbour likes coffee", OTHER)
    made = indexes.keep_in_step(threshold=1)["made"]
    ref = begin()
    work(ref)
    purge(ref)
    with connection.cursor() as cursor:
        cursor.execute(indexes.ALL)
        left = {row[0] for row in cursor.fetchall()}
    own = {name for name in made if name.startswith(f"{indexes.PREFIX}{person}_")}
    assert own and len(made) == 2
    assert left == set(made) - own
    indexes.keep_in_step(threshold=1_000_000)


def test_the_log_of_valkey_loses_what_was_deleted(person, valkey_server):
    """The append-only file keeps each command until it is written anew."""
    ref = begin()
    work(ref)
    folder = valkey.client().config_get("dir")["dir"]
    assert NAME.encode() in aof(folder)
    purge(ref)
    assert NAME.encode() not in aof(folder)
    assert erasure.state(run=ref).index_purged_at is not None


def aof(folder):
    valkey.client().execute_command("WAITAOF", 1, 0, 1000)
    return b"".join(p.read_bytes() for p in Path(folder).rglob("*.aof"))


def test_tables_can_be_written_anew(person):
    ref = begin()
    work(ref)
    assert purging.purge(ErasureRun.objects.get(ref=ref), rewrite=True)


@pytest.mark.parametrize(
    ("xid", "horizon", "before"),
    [(5, 9, True), (9, 9, False), (12, 9, False), (2**32 - 3, 2**32 + 4, True)],
)
def test_transaction_ids_go_round(xid, horizon, before):
    assert purging._is_before(xid, horizon) is before


def test_a_purge_that_fails_is_tried_again_and_the_person_stays_erased(
    person, monkeypatch
):
    def fail(run):
        raise OSError

    ref = begin()
    work(ref)
    monkeypatch.setattr(purging, "purge", fail)
    for _ in range(running.MOST_FAILURES + 1):
        run = purge(ref)
    assert (run.state, run.error) == (RunState.LIVE_ERASED, "OSError")
    monkeypatch.undo()
    assert purging.tables()
