"""A service of the benchmark's own: a home in a temporary folder, a free port."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory

from memory_core.config.embedded import addresses

PROJECT = Path(__file__).resolve().parents[2]
OTHERS = {"DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE", "MNEME_PROCESS"}
"""Variables that would lead a command to another service than the one started here."""
START_SECONDS = 600
STOP_SECONDS = 120


@dataclass(frozen=True)
class Service:
    """Where it listens, what its commands need in their environment, its process."""

    port: int
    environment: dict[str, str]
    pid: int

    def manage(self, *arguments: str) -> dict[str, object]:
        """Run a management command and return its JSON document."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments, "--json"],
            cwd=PROJECT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=True,
        )
        answer: dict[str, object] = json.loads(done.stdout)
        return answer


@contextmanager
def running(serve: str = "benchmarks.speed.serve", **more: str) -> Iterator[Service]:
    """Start the service of module `serve`, end it afterwards; its data go with it.

    `more` are variables of its environment.
    """
    with TemporaryDirectory(prefix="mneme-bench-") as folder:
        home = Path(folder) / "home"
        port = _free_port()
        where = addresses(home)
        plain = {k: v for k, v in os.environ.items() if k not in OTHERS}
        plain |= {"MNEME_HOME": str(home), "MNEME_PORT": str(port), "MNEME_DEMO": "0"}
        plain |= more
        process = subprocess.Popen(
            [sys.executable, "-m", serve], cwd=PROJECT, env=plain, stdout=sys.stderr,
        )  # fmt: skip
        try:
            _wait_until_it_answers(process, port)
            servers = {"DATABASE_URL": where.database_url, "REDIS_URL": where.redis_url}
            yield Service(port, plain | servers, process.pid)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(STOP_SECONDS)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _wait_until_it_answers(process: "subprocess.Popen[bytes]", port: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise SystemExit(f"the service ended with {process.returncode}")
        with closing(HTTPConnection("127.0.0.1", port, timeout=5)) as connection:
            try:
                connection.request("GET", "/v1/empty")
                if connection.getresponse().status == 200:
                    return
            except (OSError, HTTPException):
                time.sleep(0.2)
    raise SystemExit("the service does not answer")
