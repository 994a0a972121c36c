"""What only a real server with several processes can show."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from memory_core.models import AuditEntry, Memory, MemoryTerm, MemoryVector
from tests.api.http import post, request
from tests.api.server import LiveServer, on_test_servers
from tests.factories import make_token

pytestmark = [
    pytest.mark.server,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("vector_space"),
]
CAT = {"owner_id": "ann", "content": "My cat is called Biscuit"}


@pytest.fixture
def server(db: None, transactional_db: None) -> Iterator[LiveServer]:
    live = LiveServer()
    yield live
    live.stop()


@pytest.fixture
def server_with_metrics(transactional_db: None, tmp_path: Path) -> Iterator[LiveServer]:
    live = LiveServer({**on_test_servers(), "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)})
    yield live
    live.stop()


def at_once(times: int, call: Callable[[int], Any]) -> list[Any]:
    """Return what `times` parallel calls answer."""
    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(call, range(times)))


def head(token: str, *lines: str) -> bytes:
    common = (
        "POST /v1/memory/save HTTP/1.1", "Host: localhost",
        f"Authorization: Bearer {token}", "Content-Type: application/json",
    )  # fmt: skip
    return "\r\n".join((*common, *lines, "", "")).encode()


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def test_bodies_are_bounded_before_they_are_read(server: LiveServer):
    token = make_token()
    announced = head(token, f"Content-Length: {1024**3}")
    assert b" 413 " in server.send(announced + b"{")
    chunked = head(token, "Transfer-Encoding: chunked")
    flood = chunk(b"x" * 65536) * 40
    assert b" 413 " in server.send(chunked + flood)
    body = json.dumps(CAT).encode()
    assert b" 201 " in server.send(chunked + chunk(body) + chunk(b""))
    for length in ("abc", "-1", "5\r\nContent-Length: 50"):
        assert b" 400 " in server.send(head(token, f"Content-Length: {length}") + body)


def test_twenty_saves_of_one_text_at_once_make_one_memory(server: LiveServer):
    token = make_token(namespace="team", shared={"team": "rw"})
    other = make_token(namespace="team", shared={"team": "rw"})
    answers = at_once(20, lambda n: post(server, (token, other)[n % 2], "save", CAT))
    assert Counter(status for status, _ in answers) == {201: 1, 200: 19}
    assert len({body["memory_id"] for _, body in answers}) == 1
    assert Memory.unscoped.count() == 1


def test_parallel_retries_under_one_key_are_one_save(server: LiveServer):
    token = make_token()
    key = {"Idempotency-Key": "order-17"}
    answers = at_once(10, lambda n: post(server, token, "save", CAT, **key))
    assert all(answer == answers[0] for answer in answers)
    assert answers[0][0] == 201
    assert AuditEntry.objects.filter(action="memory.save").count() == 1
    other = {**CAT, "content": "My dog is called Rex"}
    status, body = post(server, token, "save", other, **key)
    assert (status, body["code"]) == (409, "idempotency_conflict")


def test_an_update_that_races_a_delete_ends_in_one_of_the_two_orders(
    server: LiveServer,
):
    token = make_token()
    for attempt in range(5):
        text = {**CAT, "content": f"My cat number {attempt} is called Biscuit"}
        _, saved = post(server, token, "save", {**text, "category": "event"})
        named = {"owner_id": "ann", "memory_id": saved["memory_id"]}
        calls = [("update", {**named, "content": "It ran away"}), ("delete", named)]

        def race(n: int, calls: Any = calls) -> Any:
            return post(server, token, *calls[n])

        (updated, _), (deleted, body) = at_once(2, race)
        assert updated in (200, 404)
        assert (deleted, body) == (200, {"deleted": True})
    assert not Memory.unscoped.exists()
    assert not MemoryVector.objects.exists()
    assert not MemoryTerm.objects.exists()


def test_the_numbers_of_all_processes_are_summed(
    server_with_metrics: LiveServer,
):
    server = server_with_metrics
    token = make_token(scopes=("admin",))
    at_once(8, lambda n: [request(server, token, "GET", "/v1/me") for _ in range(10)])
    wire = server.connect()
    wire.request("GET", "/metrics", headers={"Authorization": f"Bearer {token}"})
    shown = wire.getresponse().read().decode()
    wire.close()
    counted = 'mneme_http_answers_total{method="GET",route="/v1/me",status="200"} 80.0'
    assert counted in shown


def test_a_limit_holds_over_all_processes(server: LiveServer):
    token = make_token(rate=1)
    statuses = at_once(
        8, lambda n: [request(server, token, "GET", "/v1/me")[0] for _ in range(40)]
    )
    counted = Counter(status for some in statuses for status in some)
    assert 200 <= counted[200] <= 215
    assert counted[429] == 320 - counted[200]
