"""A part of the service really stops: what is answered, and what is left afterwards."""

import json
import shutil
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.api.http import post, request
from tests.api.stack import Stack

pytestmark = pytest.mark.server
CAT = {"owner_id": "ann", "content": "My cat is called Biscuit", "category": "event"}
ASK = {"owner_id": "ann", "query": "What is the cat called?"}


@pytest.fixture(scope="module")
def stack() -> Iterator[Stack]:
    home = Path(tempfile.mkdtemp(prefix="mneme-faults-"))
    running = Stack(home)
    yield running
    running.stop()
    shutil.rmtree(home, ignore_errors=True)


def until(call: Callable[[], Any], wanted: Callable[[Any], bool]) -> Any:
    """Return the first answer that is wanted, within 20 s."""
    deadline = time.monotonic() + 20
    while not wanted(answer := call()):
        assert time.monotonic() < deadline, answer
        time.sleep(0.2)
    return answer


def checks(stack: Stack) -> dict[str, str]:
    _, body = request(stack.api, "", "GET", "/readyz")
    return body["checks"]


def test_without_valkey_saves_and_recalls_are_answered(stack: Stack):
    stack.valkey.stop()
    try:
        status, saved = post(stack.api, stack.token, "save", CAT)
        assert status in (200, 201)
        status, found = post(stack.api, stack.token, "recall", ASK)
        assert status == 200
        assert saved["memory_id"] in [m["memory_id"] for m in found["memories"]]
        assert checks(stack)["queue"] == "unreachable"
        assert checks(stack)["database"] == "ok"
    finally:
        stack.start_valkey()
    until(lambda: checks(stack), lambda parts: parts["queue"] == "ok")
    assert post(stack.api, stack.token, "recall", ASK)[0] == 200


def test_without_the_database_errors_are_clear_and_it_heals_by_itself(stack: Stack):
    stack.postgres.stop()
    try:
        status, body = post(stack.api, stack.token, "save", CAT)
        assert (status, body["code"]) == (503, "service_unavailable")
        assert body["request_id"]
        assert request(stack.api, "", "GET", "/healthz")[0] == 200
        assert checks(stack)["database"] == "unreachable"
    finally:
        stack.start_postgres()
    dog = {**CAT, "content": "My dog is called Rex"}
    until(
        lambda: post(stack.api, stack.token, "save", dog), lambda told: told[0] == 201
    )
    until(lambda: checks(stack), lambda parts: parts["database"] == "ok")


def test_a_restart_of_the_database_in_the_middle_loses_nothing_accepted(stack: Stack):
    accepted: list[str] = []
    odd: list[Any] = []
    ended = False

    def keep_saving(writer: int) -> None:
        number = 0
        while not ended:
            number += 1
            text = f"Fact number {number} from writer {writer}"
            body = {**CAT, "owner_id": "bo", "content": text}
            status, told = post(stack.api, stack.token, "save", body)
            if status == 201:
                accepted.append(told["memory_id"])
            elif status != 503:
                odd.append(told)

    writers = [Thread(target=keep_saving, args=[n]) for n in range(3)]
    for writer in writers:
        writer.start()
    until(lambda: len(accepted), lambda count: count >= 5)
    stack.postgres.stop()
    stack.start_postgres()
    before = len(accepted)
    until(lambda: len(accepted), lambda count: count >= before + 5)
    ended = True
    for writer in writers:
        writer.join()
    assert odd == []
    _, listed = request(
        stack.api, stack.token, "GET", "/v1/memory?owner_id=bo&limit=200"
    )
    assert set(accepted) <= {m["memory_id"] for m in listed["memories"]}


def refusal_of_a_save(stack: Stack) -> tuple[int, str, bool]:
    """Return status, code and whether a client is told when to try again."""
    wire = stack.api.connect()
    headers = {
        "Authorization": f"Bearer {stack.token}",
        "Content-Type": "application/json",
    }
    wire.request("POST", "/v1/memory/save", json.dumps(CAT), headers)
    answer = wire.getresponse()
    body = json.loads(answer.read())
    wire.close()
    return answer.status, body.get("code", ""), "Retry-After" in answer.headers


def test_a_database_that_became_a_standby_is_read_and_not_written(stack: Stack):
    """As after a failover to a server that was not promoted."""
    status, saved = post(stack.api, stack.token, "save", CAT)
    assert status in (200, 201)
    stack.query("ALTER SYSTEM SET default_transaction_read_only = on")
    stack.query("SELECT pg_reload_conf()")
    refused = (503, "service_unavailable", True)
    try:
        until(lambda: refusal_of_a_save(stack), lambda told: told == refused)
        status, found = post(stack.api, stack.token, "recall", ASK)
        assert status == 200
        assert saved["memory_id"] in [m["memory_id"] for m in found["memories"]]
    finally:
        stack.query("ALTER SYSTEM RESET default_transaction_read_only", force=True)
        stack.query("SELECT pg_reload_conf()")
    until(lambda: post(stack.api, stack.token, "save", CAT)[0], (200, 201).__contains__)


def test_a_database_without_a_free_connection_is_waited_for(stack: Stack):
    role = "mneme_web"
    stack.query(f"ALTER ROLE {role} CONNECTION LIMIT 0")
    stack.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        f" WHERE usename = '{role}'"
    )
    try:
        for _ in range(6):  # each process loses its connection, then finds no other
            assert refusal_of_a_save(stack) == (503, "service_unavailable", True)
    finally:
        stack.query(f"ALTER ROLE {role} CONNECTION LIMIT -1")
    until(lambda: post(stack.api, stack.token, "save", CAT)[0], (200, 201).__contains__)


def test_a_client_that_hangs_up_leaves_the_service_whole(stack: Stack):
    body = json.dumps(CAT).encode()
    head = (
        "POST /v1/memory/save HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: Bearer {stack.token}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    ).encode()
    for sent in (head, head + body[:10], head + body):
        for _ in range(10):
            with socket.create_connection(("127.0.0.1", stack.api.port)) as wire:
                wire.sendall(sent)
    assert post(stack.api, stack.token, "recall", ASK)[0] == 200
