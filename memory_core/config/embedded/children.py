"""One child process: started in a group of its own, watched, ended as a group."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from memory_core.config.embedded import processes
from memory_core.config.embedded.errors import CannotStart
from memory_core.config.embedded.home import full_disk
from memory_core.config.embedded.identity import Identity, current, entering
from memory_core.config.embedded.logs import Log
from memory_core.config.embedded.processes import RUN_VARIABLE, Process


@dataclass(frozen=True)
class Service:
    """How one child is run, asked to stop and known to be ready."""

    name: str
    command: list[str]
    log: Path
    folder: Path
    environment: Mapping[str, str]
    ready: Callable[[Log], bool]
    before: Callable[[], None] = lambda: None  # CannotStart if it may not start now
    stop_signal: signal.Signals = signal.SIGTERM
    patience: float = 30  # seconds between the request to stop and the kill
    identity: Identity = field(default_factory=current)
    trouble: re.Pattern[str] | None = None  # log lines worth repeating to people
    orphans: Callable[[], list[Process]] = list  # members outside the process group


class Child:
    """A running service; `start` may be called again once it has died."""

    def __init__(self, service: Service, run: str = "") -> None:
        self.service = service
        self.log = Log(service.log)
        self.process: Process | None = None
        self.started_at = 0.0
        self._run = run
        self._popen: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the program; CannotStart if the system refuses."""
        service = self.service
        service.before()
        folders = [service.folder, Path(service.command[0]).parent]
        try:
            with self.log.open() as log:
                self._popen = subprocess.Popen(
                    service.command,
                    cwd=service.folder,
                    env={**service.environment, RUN_VARIABLE: self._run},
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    process_group=0,
                    preexec_fn=entering(service.identity, folders, service.stop_signal),
                )
        except (OSError, subprocess.SubprocessError) as error:
            raise CannotStart(f"{service.name} cannot be started: {error}.") from error
        self.started_at = time.monotonic()
        self.process = processes.find(self._popen.pid) or Process(self._popen.pid, 0)

    def exit_reason(self) -> str | None:
        """Return how the child ended, or None while it runs."""
        code = self._popen.poll() if self._popen else 0
        if code is None:
            return None
        if code < 0:
            return f"was ended by signal {signal.Signals(-code).name}"
        return f"ended with exit code {code}"

    def ready(self) -> bool:
        """Return whether the service answers or has logged that it works."""
        return self.service.ready(self.log)

    def wait_ready(self, seconds: float) -> None:
        """Return once the service answers; CannotStart if it ends or never does."""
        deadline = time.monotonic() + seconds
        while not self.ready():
            if reason := self.exit_reason():
                raise CannotStart(self.explain(f"{self.service.name} {reason}"))
            if time.monotonic() > deadline:
                what = f"{self.service.name} did not answer within {seconds:.0f} s"
                raise CannotStart(self.explain(what))
            time.sleep(0.05)

    def explain(self, what: str) -> str:
        """Return what happened with the last lines of the log, or the known cause."""
        tail = self.log.tail()
        if full := full_disk(self.service.log.parent.parent, "".join(tail)):
            return full
        lines = "".join(f"\n    {line[:300]}" for line in tail)
        return f"{what}; its log is {self.service.log}{':' if tail else '.'}{lines}"

    def ask_to_stop(self) -> None:
        """Send the signal after which the program finishes what it has begun."""
        if self._popen and self._popen.poll() is None:
            self._popen.send_signal(self.service.stop_signal)

    def kill(self) -> None:
        """End the whole group and the orphans at once; returns when they are gone."""
        if self._popen is None or self.process is None:
            return
        members = processes.group_of(self.process, self._run)
        orphans = self.service.orphans()
        processes.send(members, signal.SIGKILL)
        self._popen.wait()
        processes.end(orphans, signal.SIGQUIT, patience=10)
        processes.wait_until(lambda: not any(m.alive() for m in members), 5)


def stop_all(children: list[Child], hurry: Callable[[], bool]) -> None:
    """Ask all to stop and wait for each its patience (none if `hurry()`), then kill."""
    for child in children:
        child.ask_to_stop()
    begun = time.monotonic()
    for child in children:
        while child.exit_reason() is None and not hurry():
            if time.monotonic() - begun > child.service.patience:
                break
            time.sleep(0.05)
        child.kill()


def clean_environment(**values: str) -> dict[str, str]:
    """Return a small environment for a server that needs nothing of ours."""
    return {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC", **values}
