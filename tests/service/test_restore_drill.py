"""The whole drill: back up, erase a person, bring the old backup back, nobody returns.

The service that runs is the real one, in processes of its own.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from memory_core.config.embedded import postgres
from tests.service.agent import Agent
from tests.supervisor.service import PROJECT, Service, environment

pytestmark = pytest.mark.server

WORD = "Quellwolkenamt-7431"
ERASE = """
import django; django.setup()
from memory_core.actions import erasure
from memory_core.contracts.callers import Actor
from memory_core.contracts.erasure import Subject
erasure.start(subject=Subject(("ming",)), case_ref="ER-DRILL", ground="17-1-b",
    prepared_by="lin", approved_by="amara", by=Actor("operator:amara"))
"""
LOAD = """
import django; django.setup()
import sys
from pathlib import Path
from django.utils import timezone
from memory_core.actions import backups
from memory_core.contracts.callers import SYSTEM
with backups.servers():
    backups.restore(source=Path(sys.argv[1]), by=SYSTEM, now=timezone.now())
"""


def run(home: Path, *arguments: str) -> str:
    """Return what a command or a piece of code in this home printed."""
    more = {"DJANGO_SETTINGS_MODULE": "memory_core.config.settings"}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=PROJECT,
        env=environment(home, 0, **more),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def manage(home: Path, *arguments: str) -> dict[str, object]:
    """Return the JSON answer of a management command."""
    said = run(home, "-m", "django", *arguments, "--json")
    answer: dict[str, object] = json.loads(said)
    return answer


def wait_for(condition, seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.2)


def status(service: Service, path: str) -> int:
    try:
        return service.get(path).status_code
    except httpx.TransportError:
        return 0


def test_an_erased_person_does_not_come_back_with_a_backup(copied_home, places, start):
    to = places / "backups"
    service = start(copied_home)
    agent = Agent(service)
    assert agent.save(f"Ich arbeite im {WORD}", owner="ming").status_code == 201
    assert agent.save("I like green tea", owner="hong").status_code == 201
    made = manage(copied_home, "backup", "--to", str(to))
    run(copied_home, "-c", ERASE)
    wait_for(lambda: agent.save("back again", owner="ming").status_code == 410)
    agent.client.close()
    service.end()

    run(copied_home, "-c", LOAD, str(to))
    service = Service(copied_home)
    wait_for(lambda: status(service, "/readyz") == 503)
    closed = service.get("/v1/memory/recall")
    assert (closed.status_code, closed.json()["code"]) == (503, "restoring")
    assert str(made["backup"]).rsplit("/", 1)[1] in service.get("/restore/").text
    assert status(service, "/queue/") == 503

    service.wait_for("the service is open")
    service.wait_for("Mneme is running.")
    agent = Agent(service)
    assert agent.save("back again", owner="ming").status_code == 410
    found = agent.recall("green tea", owner="hong").json()
    assert [one["content"] for one in found["memories"]] == ["I like green tea"]
    agent.client.close()
    dump = manage(copied_home, "backup", "--to", str(places / "after"))
    assert _words(Path(str(dump["backup"]))) == 0
    assert _words(Path(str(made["backup"]))) > 0
    assert manage(copied_home, "audit", "verify")["intact"]
    service.wait_answers()
    service.end()


def _words(backup: Path) -> int:
    """Return how often the person's word stands in a backup."""
    program = postgres.programs() / "pg_restore"
    done = subprocess.run(
        [str(program), "--file", "-", str(backup / "database.dump")],
        capture_output=True,
        check=True,
    )
    return done.stdout.count(WORD.encode())
