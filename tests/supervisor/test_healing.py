"""A part that dies is said and started again."""

import os
import signal
import time

import psutil
import pytest

from tests.supervisor.service import Service

pytestmark = pytest.mark.server
PARTS = ["PostgreSQL", "Valkey", "Web server", "Worker", "Scheduler"]


@pytest.mark.parametrize("name", PARTS)
def test_a_killed_part_is_said_and_runs_again(running: Service, name: str) -> None:
    before = running.pid(name)
    said = len(running.said())  # the end of another part may have ended this one too
    os.kill(before, signal.SIGKILL)
    running.wait_for(f"{name} was ended by signal SIGKILL; restarting it in", said)
    running.wait_for(f"{name} runs again.", said)
    assert running.pid(name) != before
    running.wait_answers()


@pytest.mark.parametrize(
    ("part", "told", "back"),
    [
        ("Web server", "Unexpected exit from worker", "Started worker"),
        ("Worker", "ForkPoolWorker", None),
    ],
)
def test_a_killed_process_below_a_part_is_said_and_replaced(
    running: Service, part: str, told: str, back: str | None
) -> None:
    said = len(running.said())
    log = running.home / "logs" / "web.log"
    begun = len(log.read_text())
    _workers(running.pid(part))[0].kill()
    deadline = time.monotonic() + 300
    while (
        told not in running.said()[said:]
        or len(_workers(running.pid(part))) < 2
        or (back and back not in log.read_text()[begun:])
    ):
        assert time.monotonic() < deadline, running.said()
        time.sleep(0.1)
    running.wait_answers()


def _workers(pid: int) -> list[psutil.Process]:
    """Return the processes that do the work below a part."""
    return [
        child
        for child in psutil.Process(pid).children()
        if "tracker" not in " ".join(child.cmdline())
    ]
