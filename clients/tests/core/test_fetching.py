"""A whole export comes part by part, and goes on after any interruption."""

from __future__ import annotations

import hashlib
import json
import threading
import uuid
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from mneme.__main__ import main
from mneme.errors import Unavailable
from mneme.fetching import Fetch
from mneme.transport import Transport

PARTS = [b'{"n": %d, "text": "a\xe2\x80\xa8b"}\n' % n * 3 for n in range(4)]


class Snapshots(ThreadingHTTPServer):
    """One snapshot of four parts; `cut` and `spoilt` are parts that go wrong once."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.states = ["queued", "done"]
        self.orders: list[dict[str, Any]] = []
        self.fetched: list[int] = []
        self.cut: set[int] = set()
        self.spoilt: set[int] = set()
        self.manifest = {
            "kind": "mneme.export",
            "counts": {"memories": 12, "owners": 1},
            "parts": [
                {"lines": 3, "bytes": len(p), "sha256": hashlib.sha256(p).hexdigest()}
                for p in PARTS
            ],
        }

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def whole(self) -> bytes:
        return json.dumps(self.manifest).encode() + b"\n" + b"".join(PARTS)


class _Handler(BaseHTTPRequestHandler):
    server: Snapshots

    def do_POST(self) -> None:
        size = int(self.headers["Content-Length"])
        self.server.orders.append(json.loads(self.rfile.read(size)))
        self._json({"snapshot_id": str(uuid.UUID(int=len(self.server.orders)))}, 202)

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        if not url.path.endswith("/content"):
            states = self.server.states
            state = states.pop(0) if len(states) > 1 else states[0]
            done = self.server.manifest if state == "done" else {}
            self._json({"state": state, "counts": {}, "parts": [], **done}, 200)
        elif part := parse_qs(url.query).get("part"):
            self._part(int(part[0]))
        else:
            self._send(self.server.whole)

    def _part(self, number: int) -> None:
        self.server.fetched.append(number)
        data = PARTS[number]
        if number in self.server.spoilt:
            self.server.spoilt.remove(number)
            data = data.replace(b"n", b"m")
        if number in self.server.cut:
            self.server.cut.remove(number)
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data[:10])
            self.close_connection = True
            return
        self._send(data)

    def _json(self, value: dict[str, Any], status: int) -> None:
        self._send(json.dumps(value).encode(), status)

    def _send(self, data: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def service() -> Iterator[Snapshots]:
    with Snapshots() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def http(service: Snapshots) -> Iterator[Transport]:
    transport = Transport(service.url, "t", pause=lambda seconds: None)
    yield transport
    transport.close()


def fetch(http: Transport, to: Path, **wanted: Any) -> Fetch:
    return Fetch(http, to, wanted, pause=lambda seconds: None)


def test_all_parts_are_put_together(
    service: Snapshots, http: Transport, tmp_path: Path
) -> None:
    to = tmp_path / "out.jsonl"
    assert fetch(http, to).run() == {"memories": 12, "owners": 1}
    assert to.read_bytes() == service.whole
    assert to.stat().st_mode & 0o077 == 0
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]


def test_a_part_that_was_cut_or_spoilt_is_asked_for_again(
    service: Snapshots, http: Transport, tmp_path: Path
) -> None:
    service.cut, service.spoilt = {1}, {2}
    to = tmp_path / "out.jsonl"
    fetch(http, to).run()
    assert to.read_bytes() == service.whole
    assert service.fetched == [0, 1, 1, 2, 2, 3]


def test_a_second_call_fetches_what_is_missing(
    service: Snapshots, http: Transport, tmp_path: Path
) -> None:
    to = tmp_path / "out.jsonl"
    first = fetch(http, to)
    real = first._fetch_part

    def dies(content: str, number: int, part: Any) -> None:
        if number == 2:
            raise Unavailable("the service is gone")
        real(content, number, part)

    first._fetch_part = dies  # type: ignore[method-assign]
    with pytest.raises(Unavailable):
        first.run()
    assert not to.exists()
    fetch(http, to).run()
    assert to.read_bytes() == service.whole
    assert len(service.orders) == 1
    assert service.fetched == [0, 1, 2, 3]


def test_another_wish_begins_anew(
    service: Snapshots, http: Transport, tmp_path: Path
) -> None:
    to = tmp_path / "out.jsonl"
    first = fetch(http, to, owner_id="a")
    first._put_together = lambda content, parts: None  # type: ignore[method-assign]
    first.run()
    fetch(http, to, owner_id="b").run()
    assert [one["owner_id"] for one in service.orders] == ["a", "b"]


def test_a_snapshot_that_fails_is_said(
    service: Snapshots, http: Transport, tmp_path: Path
) -> None:
    service.states = ["failed"]
    with pytest.raises(Unavailable, match="failed"):
        fetch(http, tmp_path / "out.jsonl").run()


def test_the_command_prints_the_counts(
    service: Snapshots, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    to = tmp_path / "out.jsonl"
    service.states = ["done"]
    asked = ["--from", service.url, "--to", str(to), "--owner", "amara"]
    assert main(["export", *asked]) == 0
    assert json.loads(capsys.readouterr().out)["memories"] == 12
    assert service.orders[0]["owner_id"] == "amara"
