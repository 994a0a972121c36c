"""The whole service as a person starts it, in processes of its own."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import psutil

from memory_core.config.embedded.processes import end_with_parent

PROJECT = Path(__file__).parents[2]
MODULE = [sys.executable, "-m", "memory_core.config.embedded"]


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def environment(home: Path, port: int, **more: str) -> dict[str, str]:
    """Return what an operator's shell would hold, without this test run's servers."""
    ours = {"DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE", "MNEME_PROCESS"}
    given = {name: value for name, value in os.environ.items() if name not in ours}
    return {**given, "MNEME_HOME": str(home), "MNEME_PORT": str(port), **more}


class Service:
    """One start of `run` in `home`."""

    def __init__(self, home: Path, port: int | None = None, **more: str) -> None:
        self.home = home
        self.port = port or free_port()
        self.environment = environment(home, self.port, **more)
        self.output = home.with_suffix(f".{self.port}.out")
        parent = os.getpid()
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [*MODULE, "run"],
                cwd=PROJECT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=lambda: end_with_parent(signal.SIGTERM, parent),
            )

    def said(self) -> str:
        """Return all that the supervisor has printed so far."""
        return self.output.read_text()

    def wait_for(self, text: str, after: int = 0, seconds: float = 600) -> None:
        """Return once the supervisor has printed `text`, past `after` characters."""
        deadline = time.monotonic() + seconds
        while text not in self.said()[after:]:
            assert self.process.poll() is None, self.said()
            assert time.monotonic() < deadline, f"no {text!r} in: {self.said()}"
            time.sleep(0.05)

    def wait_running(self) -> "Service":
        """Return once everything has started."""
        self.wait_for("Mneme is running.")
        return self

    def pid(self, name: str) -> int:
        """Return the process of a part, as recorded."""
        record = json.loads((self.home / "supervisor.json").read_text())
        return int(record["children"][name][0])

    def names(self) -> set[str]:
        """Return the parts that run as children of the supervisor."""
        record = json.loads((self.home / "supervisor.json").read_text())
        return set(record["children"])

    def get(self, path: str, **options: object) -> httpx.Response:
        """Return the answer to a request."""
        return httpx.get(f"http://127.0.0.1:{self.port}{path}", timeout=30, **options)

    def answers(self) -> bool:
        """Return whether the service reports that all its parts work."""
        try:
            return self.get("/readyz").status_code == 200
        except httpx.TransportError:
            return False

    def wait_answers(self, seconds: float = 300) -> None:
        """Return once all parts work."""
        deadline = time.monotonic() + seconds
        while not self.answers():
            assert time.monotonic() < deadline, self.get("/readyz").text
            time.sleep(0.1)

    def family(self) -> list[psutil.Process]:
        """Return all processes below the supervisor."""
        return psutil.Process(self.process.pid).children(recursive=True)

    def end(self, number: signal.Signals = signal.SIGINT) -> int:
        """Ask the supervisor to stop and return its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(300)


def refusal(home: Path, port: int, *prefix: str, **more: str) -> str:
    """Return the last words of a start that must fail with exit code 1."""
    done = subprocess.run(
        [*prefix, *MODULE, "run"],
        cwd=PROJECT,
        env=environment(home, port, **more),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    return done.stderr.strip()
