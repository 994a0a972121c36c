"""A server that speaks the chat protocol and misbehaves as told."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Script = Callable[["Handler", int], None]


@dataclass
class ChatServer:
    """Where it listens and what it was asked."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)


class Handler(BaseHTTPRequestHandler):
    script: Script
    server_state: ChatServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server_state.requests.append(body)
        self.server_state.keys.append(self.headers["Authorization"])
        type(self).script(self, len(self.server_state.requests))

    def reply(self, content: Any) -> None:
        self.raw(json.dumps({"choices": [{"message": {"content": content}}]}).encode())

    def raw(self, payload: bytes, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def hang_up(self) -> None:
        self.close_connection = True
        self.connection.close()

    def drip(self, seconds: float) -> None:
        """Answer byte by byte, never faster than a reader's patience for one read."""
        self.send_response(200)
        self.send_header("Content-Length", "100000")
        self.end_headers()
        end = time.monotonic() + seconds
        try:
            while time.monotonic() < end:
                self.wfile.write(b" ")
                self.wfile.flush()
                time.sleep(0.05)
        except OSError:
            return

    def flood(self, count: int) -> None:
        self.send_response(200)
        self.end_headers()
        try:
            for _ in range(count):
                self.wfile.write(b" " * 65536)
        except OSError:
            return

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def serving(script: Script) -> Iterator[ChatServer]:
    """Run a server that answers the n-th request (from 1) as `script` does."""
    kind = type("Scripted", (Handler,), {"script": staticmethod(script)})
    server = ThreadingHTTPServer(("127.0.0.1", 0), kind)
    server.daemon_threads = True
    server.block_on_close = False
    state = ChatServer(f"http://127.0.0.1:{server.server_port}/v1")
    kind.server_state = state  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
