"""Starting and stopping, beside others and on servers of the operator."""

import signal
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import httpx
import psycopg
import pytest

from memory_core.config.embedded import addresses, start_postgres, start_valkey
from tests.supervisor.service import MODULE, PROJECT, Service

pytestmark = pytest.mark.server


def test_stop_from_another_shell_finishes_the_request_in_flight(
    copied_home: Path, start: Callable[..., Service]
) -> None:
    service = start(copied_home)
    answers: list[httpx.Response] = []
    url = addresses(copied_home).database_url

    def ask() -> None:
        answers.append(service.get("/readyz"))

    with psycopg.connect(url) as connection:
        connection.execute("LOCK TABLE memory_core_namespace IN ACCESS EXCLUSIVE MODE")
        asking = threading.Thread(target=ask)
        asking.start()
        _wait_for_a_waiting_session(url)
        stopping = subprocess.Popen(
            [*MODULE, "stop"],
            cwd=PROJECT,
            env=service.environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        service.wait_for("Stopping;")
        connection.rollback()
    asking.join(30)
    told, _ = stopping.communicate(timeout=300)
    assert [answer.json()["checks"]["database"] for answer in answers] == ["ok"]
    assert told == "Mneme has stopped.\n"
    assert stopping.returncode == service.process.wait(5) == 0
    assert not (copied_home / "supervisor.json").exists()


def _wait_for_a_waiting_session(url: str) -> None:
    query = "SELECT count(*) FROM pg_locks WHERE NOT granted"
    with psycopg.connect(url, autocommit=True) as connection:
        for _ in range(200):
            if connection.execute(query).fetchone() != (0,):
                return
            connection.execute("SELECT pg_sleep(0.05)")
    pytest.fail("the request never reached the database")


def test_stop_without_a_running_service_says_so(tmp_path: Path) -> None:
    done = subprocess.run(
        [*MODULE, "stop"],
        cwd=PROJECT,
        env={"MNEME_HOME": str(tmp_path / "none"), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == f"Mneme is not running in {tmp_path / 'none'}.\n"
    assert done.returncode == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_during_the_start_ends_it_cleanly(
    copied_home: Path, number: signal.Signals
) -> None:
    service = Service(copied_home)
    service.wait_for("PostgreSQL")
    assert service.end(number) == 0
    assert "Traceback" not in service.said()


def test_the_data_of_an_earlier_run_are_there_in_the_next(
    copied_home: Path, start: Callable[..., Service]
) -> None:
    url = addresses(copied_home).database_url
    first = start(copied_home)
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
    first.end()
    start(copied_home)
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT answer FROM kept").fetchone() == (42,)


def test_two_installations_run_side_by_side(
    running: Service, copied_home: Path, start: Callable[..., Service]
) -> None:
    other = start(copied_home)
    running.wait_answers()
    other.wait_answers()
    assert {running.pid(name) for name in running.names()}.isdisjoint(
        other.pid(name) for name in other.names()
    )
    other.end()
    running.wait_answers()


def test_servers_of_the_operator_are_used_and_none_of_ours_started(
    places: Path, tmp_path: Path, start: Callable[..., Service]
) -> None:
    theirs = places / f"theirs-{tmp_path.name}"
    database, queue = start_postgres(theirs), start_valkey(theirs)
    try:
        home = places / f"ours-{tmp_path.name}"
        service = start(home, DATABASE_URL=database.url, REDIS_URL=queue.url)
        service.wait_answers()
        assert service.names() == {"Web server", "Worker", "Scheduler"}
        assert not (home / "postgres").exists()
        assert not (home / "valkey").exists()
        service.end()
    finally:
        queue.stop()
        database.stop()
