"""The service dies in the middle of moving memories: nothing twice, nothing lost."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx
import mneme
import pytest
from mneme.fetching import Fetch
from mneme.transport import Transport

from memory_core.config.embedded import addresses
from tests.service.agent import Agent
from tests.service.test_faults import wait_until
from tests.supervisor.service import PROJECT, Service

pytestmark = pytest.mark.server
LINES = 300


@pytest.fixture
def agent(running: Service) -> Iterator[Agent]:
    running.wait_answers(seconds=180)
    talking = Agent(running)
    yield talking
    talking.client.close()


def kill(service: Service, part: str) -> None:
    os.killpg(service.pid(part), signal.SIGKILL)


def manage(service: Service, *arguments: str) -> str:
    """Return what a command of the running service prints."""
    where = addresses(service.home)
    servers = {"DATABASE_URL": where.database_url, "REDIS_URL": where.redis_url}
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=PROJECT,
        env=service.environment | servers,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def lines(owner: str, count: int = LINES) -> bytes:
    """Return a file of memories, each linked to the one before."""
    made = []
    for n in range(count):
        value = {
            "schema_version": 1,
            "memory_id": f"{owner}-{n}",
            "owner_id": owner,
            "type": "fact",
            "content": f"Shelf {n} holds {n * 7} jars of the sort {n * 13}",
            "source": {"kind": "user_input", "name": "stock"},
            "timestamp": "2026-02-01T10:00:00Z",
        }
        if n:
            value["related"] = [f"{owner}-{n - 1}"]
        made.append(json.dumps(value).encode() + b"\n")
    return b"".join(made)


def assert_whole(agent: Agent, owner: str, count: int = LINES) -> None:
    """Every memory is there once, with its link."""
    answer = agent.client.get(f"{agent.base}/export", params={"owner_id": owner})
    there = [json.loads(line) for line in answer.content.splitlines()[1:]]
    assert Counter(one["content"] for one in there) == Counter(
        json.loads(line)["content"] for line in lines(owner, count).splitlines()
    )
    assert sum("related" in one for one in there) == count - 1


def send(agent: Agent, data: bytes) -> httpx.Response:
    return agent.client.post(
        f"{agent.base}/import",
        content=data,
        headers={"Content-Type": "application/x-ndjson"},
        timeout=300,
    )


def some_are_there(agent: Agent, owner: str) -> bool:
    return bool(agent.listed(owner=owner))


def test_the_web_server_dies_in_an_import(agent, running):
    data, failed = lines("import-web"), []

    def first_try() -> None:
        try:
            send(agent, data)
        except httpx.TransportError as error:
            failed.append(error)

    sender = threading.Thread(target=first_try)
    sender.start()
    wait_until(lambda: some_are_there(agent, "import-web"), seconds=120)
    kill(running, "Web server")
    sender.join()
    running.wait_answers(seconds=180)
    assert failed and len(agent.listed(owner="import-web")) < LINES
    report = send(agent, data).json()
    assert report["added"] + report["unchanged"] == LINES
    assert_whole(agent, "import-web")


def test_the_worker_dies_in_an_import_of_the_console(agent, running):
    console = Console(running)
    page = console.upload(lines("import-job"))
    console.send(page + "describe/", system="mneme", namespace="agent:demo", age="keep")
    console.send(page + "begin/", verb="import")
    wait_until(lambda: some_are_there(agent, "import-job"), seconds=120)
    kill(running, "Worker")
    running.wait_answers(seconds=180)
    age_heartbeats(running)
    wait_until(lambda: "What came in" in console.get(page).text, seconds=120)
    console.client.close()
    assert_whole(agent, "import-job")


def age_heartbeats(service: Service) -> None:
    """Let two minutes pass for the job that nobody works on."""
    code = (
        "from memory_core.models import Job; from datetime import timedelta;"
        "from django.db.models import F;"
        "Job.objects.filter(state='running').update("
        "heartbeat_at=F('heartbeat_at') - timedelta(minutes=3))"
    )
    manage(service, "shell", "-c", code)


def test_the_web_server_dies_in_an_export(agent, running, tmp_path):
    send(agent, lines("export", 40))
    base = f"http://127.0.0.1:{running.port}"
    http = Transport(base, agent.token)
    fetch = Fetch(http, tmp_path / "out.jsonl", {"owner_id": "export"})
    real, killed = fetch._stream_part, []

    def dies(*arguments: object) -> None:
        if not killed:
            killed.append(True)
            kill(running, "Web server")
        real(*arguments)

    fetch._stream_part = dies
    try:
        try:
            fetch.run()
        except mneme.Unavailable:  # it took longer than the command waits
            running.wait_answers(seconds=180)
            Fetch(http, tmp_path / "out.jsonl", {"owner_id": "export"}).run()
    finally:
        http.close()
    written = (tmp_path / "out.jsonl").read_bytes().splitlines()
    assert json.loads(written[0])["counts"]["memories"] == 40 == len(written) - 1
    assert len({json.loads(line)["memory_id"] for line in written[1:]}) == 40


def test_the_web_server_dies_while_an_agent_saves_with_a_spool(
    agent, running, tmp_path
):
    url = f"http://127.0.0.1:{running.port}"
    spool = tmp_path / "spool.db"
    with mneme.open(url, token=agent.token, when_down="spool", spool=spool) as store:
        for n in range(30):
            if n == 10:
                kill(running, "Web server")
            store.save(mneme.MemoryItem(owner_id="spool", content=f"Jar {n} is empty"))
        running.wait_answers(seconds=180)
        wait_until(store.flush)
        found = Counter(one.content for one in store.export(owner_id="spool"))
    assert found == Counter(f"Jar {n} is empty" for n in range(30))


def test_what_is_saved_is_in_the_cold_copy_within_a_minute(agent, running):
    agent.save("The cellar key is blue", owner="cold")
    until = time.monotonic() + 60
    while "cellar key" not in manage(running, "cold", "show", "--owner", "cold"):
        assert time.monotonic() < until
        time.sleep(1)


class Console:
    """A person signed in at the console of a home, without a browser."""

    def __init__(self, service: Service) -> None:
        written = json.loads((service.home / "credentials.json").read_text())
        base = f"http://127.0.0.1:{service.port}"
        self.client = httpx.Client(base_url=base, timeout=60)
        person = written["operator"]
        page = self.client.get("/accounts/login/")
        answer = self.client.post(
            "/accounts/login/",
            data={
                "login": person["username"],
                "password": person["password"],
                "csrfmiddlewaretoken": token_of(page),
            },
        )
        assert answer.status_code == 302, answer.text

    def get(self, page: str) -> httpx.Response:
        return self.client.get(page)

    def send(self, page: str, **values: str) -> httpx.Response:
        token = token_of(self.client.get("/moving/"))
        answer = self.client.post(page, data={**values, "csrfmiddlewaretoken": token})
        assert answer.status_code == 302, answer.text
        return answer

    def upload(self, data: bytes) -> str:
        """Return the address of the page of the new import."""
        token = token_of(self.client.get("/moving/"))
        answer = self.client.post(
            "/moving/upload/",
            data={"csrfmiddlewaretoken": token},
            files={"file": ("in.jsonl", data)},
        )
        return str(answer.headers["Location"])


def token_of(page: httpx.Response) -> str:
    found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
    assert found, page.text[:500]
    return found[1]


@pytest.mark.long
def test_a_home_that_lost_its_database_gets_everything_back(
    agent: Agent, running: Service, tmp_path: Path
) -> None:
    send(agent, lines("lost", 20))
    before = manage(running, "export", "--owner", "lost").splitlines()[1:]
    manage(running, "cold", "copy")
    running.end()
    (running.home / "postgres").rename(tmp_path / "lost")
    again = Service(running.home, MNEME_DEMO="1").wait_running()
    try:
        assert not manage(again, "export", "--owner", "lost").splitlines()[1:]
        done = json.loads(manage(again, "cold", "replay", "--json"))
        assert done["added"] >= 20 and not done["unreadable"]
        assert manage(again, "export", "--owner", "lost").splitlines()[1:] == before
    finally:
        again.end()
