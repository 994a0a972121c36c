"""The API in processes of its own, as it runs in earnest, on the test database."""

import http.client
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import quote

from django.db import connection

ROOT = Path(__file__).parents[2]
START_SECONDS = 300


def on_test_servers() -> dict[str, str]:
    """Return the environment of a process that uses this test run's database."""
    where = connection.settings_dict
    host = quote(where["HOST"], safe="")
    return {
        **os.environ,
        "DATABASE_URL": f"postgresql://{where['USER']}@/{where['NAME']}?host={host}",
        "DJANGO_SETTINGS_MODULE": "memory_core.config.settings",
    }


class LiveServer:
    """Granian with two worker processes on a free port of this machine.

    `environment` says on which servers, by default those of this test run.
    """

    def __init__(self, environment: dict[str, str] | None = None) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.process = subprocess.Popen(
            [
                sys.executable, "-m", "granian", "--interface", "wsgi",
                "--host", "127.0.0.1", "--port", str(self.port), "--workers", "2",
                "--no-log", "--workers-kill-timeout", "10",
                "memory_core.config.wsgi:application",
            ],
            cwd=ROOT,
            env={**(environment or on_test_servers()), "MNEME_PROCESS": "web"},
        )  # fmt: skip
        self._wait()

    def connect(self) -> http.client.HTTPConnection:
        """Return a new connection."""
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)

    def send(self, raw: bytes) -> bytes:
        """Return the start of the answer to bytes that no client would send."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as wire:
            wire.sendall(raw)
            return wire.recv(65536)

    def stop(self) -> None:
        """End it and wait for its end."""
        self.process.terminate()
        self.process.wait(timeout=120)

    def _wait(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise RuntimeError(f"the server ended with {self.process.returncode}")
            try:
                wire = self.connect()
                wire.request("GET", "/healthz")
                wire.getresponse().read()
                wire.close()
            except OSError:
                time.sleep(0.1)
            else:
                return
        self.stop()
        raise RuntimeError(f"the server does not answer after {START_SECONDS} s")
