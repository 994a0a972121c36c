"""Parts of the running service really stop; nothing that was accepted is lost."""

import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.service.agent import Agent
from tests.supervisor.service import Service

pytestmark = pytest.mark.server


@pytest.fixture
def agent(running: Service) -> Iterator[Agent]:
    running.wait_answers()
    talking = Agent(running)
    yield talking
    talking.client.close()


def broken_parts(service: Service) -> set[str]:
    checks = service.get("/readyz").json()["checks"]
    return {part for part, state in checks.items() if state != "ok"}


def wait_until(condition, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


class Frozen:
    """A part that hangs: stopped by the kernel, not dead, so nobody restarts it."""

    def __init__(self, service: Service, part: str) -> None:
        self.group = service.pid(part)

    def __enter__(self) -> None:
        os.killpg(self.group, signal.SIGSTOP)

    def __exit__(self, *_: object) -> None:
        os.killpg(self.group, signal.SIGCONT)


def test_without_valkey_saves_and_recalls_still_answer(agent, running):
    with Frozen(running, "Valkey"):
        saved = agent.save("I collect old maps", owner="valkey-down")
        assert saved.status_code == 201, saved.text
        assert agent.recalled("old maps", owner="valkey-down") == ["I collect old maps"]
        assert "queue" in broken_parts(running)
    running.wait_answers()
    assert agent.recalled("old maps", owner="valkey-down") == ["I collect old maps"]


def test_without_a_worker_saves_and_recalls_still_answer(agent, running):
    with Frozen(running, "Worker"):
        assert agent.save("I play the oboe", owner="no-worker").status_code == 201
        assert agent.recalled("oboe", owner="no-worker") == ["I play the oboe"]


def test_a_database_that_restarts_loses_nothing_that_was_accepted(agent, running):
    accepted: list[str] = []
    refused: list[httpx.Response] = []
    stop = threading.Event()

    def keep_saving() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            text = f"The box number {number} stands in aisle {number * 7}"
            try:
                answer = agent.save(text, owner="restart")
            except httpx.TransportError:
                continue
            if answer.status_code in (200, 201):
                accepted.append(answer.json()["memory_id"])
            else:
                refused.append(answer)

    writer = threading.Thread(target=keep_saving)
    writer.start()
    try:
        wait_until(lambda: len(accepted) >= 3)
        os.kill(running.pid("PostgreSQL"), signal.SIGKILL)
        running.wait_answers()
        before = len(accepted)
        wait_until(lambda: len(accepted) >= before + 3)
    finally:
        stop.set()
        writer.join()
    assert all(answer.status_code == 503 for answer in refused), refused
    for answer in refused:
        problem = answer.json()
        assert problem["request_id"] and problem["code"]
        assert "Retry-After" in answer.headers
    assert set(accepted) <= set(agent.listed(owner="restart"))


def test_a_client_that_hangs_up_leaves_a_whole_memory_or_none(agent, running):
    body = b'{"owner_id": "hang-up", "content": "I hang up early"}'
    head = (
        f"POST /v1/memory/save HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: Bearer {agent.token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode()
    for sent in (head + body[:20], head + body):
        with socket.create_connection(("127.0.0.1", running.port)) as wire:
            wire.sendall(sent)
    wait_until(lambda: len(agent.listed(owner="hang-up")) <= 1)
    again = agent.save("I hang up early", owner="hang-up")
    assert again.status_code in (200, 201)
    assert len(agent.listed(owner="hang-up")) == 1


def test_parallel_recalls_lose_no_access_count(agent):
    agent.save("The spare key hangs behind the mirror", owner="counting")

    def recall(number: int) -> int:
        return agent.recall(
            "spare key", owner="counting", session_id=f"s{number}"
        ).status_code

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(recall, range(40))) == {200}
    wait_until(lambda: agent.first(owner="counting")["access_count"] == 40)
