"""The supervisor: starts all parts in order, restarts what dies, ends all in order."""

import os
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from memory_core.config.embedded import external, ports, postgres, services, valkey
from memory_core.config.embedded.children import Child, Service, stop_all
from memory_core.config.embedded.console import say, step, welcome
from memory_core.config.embedded.home import Home, explain
from memory_core.config.embedded.leftovers import end_leftovers, record
from memory_core.config.embedded.processes import Process, find
from memory_core.config.embedded.restarts import Watched
from memory_core.config.embedded.restore import Restore
from memory_core.config.embedded.signals import Stopped, StopSignals

TICK_SECONDS = 0.2
HOUSEKEEPING_SECONDS = 30
WEB_READY_SECONDS = 120  # the first start compiles and loads the model


@dataclass
class Supervisor:
    """One run of the service in one home."""

    home: Home
    host: str
    port: int
    run: str = field(default_factory=lambda: secrets.token_hex(8))
    servers: list[Watched] = field(default_factory=list)
    programs: list[Watched] = field(default_factory=list)
    restore: Restore | None = None

    def serve(self) -> None:
        """Run until asked to stop; CannotStart says why it could not go on."""
        self.home.prepare()
        with self.home.locked():
            signals = StopSignals()
            try:
                self._run(signals)
            except Stopped:
                return
            finally:
                signals.raising = False
                self._stop(signals)

    def _run(self, signals: StopSignals) -> None:
        say(f"Starting Mneme in {self.home.root}")
        if count := end_leftovers(self.home):
            say(f"  ended {count} processes left over from an earlier run")
        with ports.reserved(self.host, self.port):
            self._write_record()
            environment = services.environment(self.home, self.host, self.port)
            self._start_servers(environment)
            self._prepare_data(environment)
            self._start_programs(environment)
            address = f"http://{services.browsable(self.host)}:{self.port}"
            say(welcome(address, str(self.home.root / "credentials.json")))
            signals.raising = False
            self._watch(signals)

    def _start_servers(self, environment: Mapping[str, str]) -> None:
        if url := os.environ.get("DATABASE_URL"):
            with step("PostgreSQL", "yours, from DATABASE_URL"):
                external.check_postgres(url)
        else:
            with step("PostgreSQL"):
                self.servers.append(Watched(postgres.start(self.home, self.run)))
        if url := os.environ.get("REDIS_URL"):
            answers = external.redis_answers(url)
            say(
                f"  {'Valkey':<14} {'yours' if answers else 'DOES NOT ANSWER'}"
                ", from REDIS_URL"
            )
        else:
            with step("Valkey"):
                self.servers.append(Watched(valkey.start(self.home, self.run)))
        self._write_record()

    def _prepare_data(self, environment: Mapping[str, str]) -> None:
        with step("Migrations", "applied"):
            services.manage(self.home, environment, "migrate")
        with step("First set-up", "done"):
            services.manage(self.home, environment, "bootstrap")

    def _start_programs(self, environment: Mapping[str, str]) -> None:
        web = services.web(self.home, environment, self.host, self.port)
        with step("Web server"):
            self._start(web).wait_ready(WEB_READY_SECONDS)
        if services.is_closed(self.home):
            self.restore = Restore(self.home, environment, self.run)
            self.restore.begin()
        else:
            self._start_background(environment)

    def _start_background(self, environment: Mapping[str, str]) -> None:
        with step("Worker", "started"):
            self._start(services.worker(self.home, environment))
        with step("Scheduler", "started"):
            self._start(services.scheduler(self.home, environment))

    def _start(self, service: Service) -> Child:
        child = Child(service, self.run)
        self.programs.append(Watched(child))
        child.start()
        self._write_record()
        return child

    def _watch(self, signals: StopSignals) -> None:
        housekeeping_at = time.monotonic()
        while not signals.count:
            for watched in (*self.servers, *self.programs):
                if watched.check():
                    self._write_record()
            if self.restore and self.restore.is_over():
                self._start_background(self.restore.environment)
                self.restore = None
            if time.monotonic() >= housekeeping_at:
                housekeeping_at += HOUSEKEEPING_SECONDS
                for watched in (*self.servers, *self.programs):
                    watched.child.log.bound()
            time.sleep(TICK_SECONDS)

    def _stop(self, signals: StopSignals) -> None:
        if self.programs or self.servers:
            say("Stopping; requests and tasks that have begun are finished first.")
        restoring = [self.restore.child] if self.restore else []
        programs = [w.child for w in self.programs]
        stop_all([*programs, *restoring], signals.impatient)
        for watched in reversed(self.servers):
            stop_all([watched.child], signals.impatient)
        self.home.record.unlink(missing_ok=True)
        if self.programs or self.servers:
            say("Stopped.")

    def _write_record(self) -> None:
        ours = find(os.getpid()) or Process(os.getpid(), 0)
        children = {
            watched.child.service.name: watched.child.process
            for watched in (*self.servers, *self.programs)
            if watched.child.process
        }
        try:
            self.home.write_record(record(self.run, ours, children))
        except OSError as error:
            say(f"Cannot note the running processes: {explain(error, self.home.root)}")
