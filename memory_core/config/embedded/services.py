"""The processes of our own code: web server, worker and scheduler."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from memory_core.config import env
from memory_core.config.embedded import ports, postgres, valkey
from memory_core.config.embedded.children import Service
from memory_core.config.embedded.errors import CannotStart
from memory_core.config.embedded.home import RESTORE_MODE, Home, full_disk
from memory_core.config.embedded.logs import Log

PROJECT = Path(__file__).resolve().parents[3]
APPLICATION = "memory_core.config.wsgi:application"
CELERY = [sys.executable, "-m", "celery", "-A", "memory_core.config.celery"]
WEB_PROCESSES = 2
WEB_THREADS = 8  # per process: a recall waits for the database most of its time
WORKER_PROCESSES = 2


def environment(home: Home, host: str, port: int) -> dict[str, str]:
    """Return the environment of our own processes: ours plus the servers' addresses.

    One thread per process for numerical libraries: a fork after they have started
    threads of their own hangs.
    """
    given = dict(os.environ)
    if not given.get("DATABASE_URL"):
        given = {k: v for k, v in given.items() if not re.fullmatch("PG[A-Z]+", k)}
        given["DATABASE_URL"] = postgres.url(home)
    if not given.get("REDIS_URL"):
        given["REDIS_URL"] = valkey.url(home)
    return given | {
        "MNEME_HOME": str(home.root),
        "MNEME_HOST": host,
        "MNEME_PORT": str(port),
        "OMP_NUM_THREADS": "1",
        "PYTHONUNBUFFERED": "1",
        "DJANGO_SETTINGS_MODULE": "memory_core.config.settings",
        "MNEME_PROCESS": "owner",
    }


def web(home: Home, environment: Mapping[str, str], host: str, port: int) -> Service:
    """Return how the web server runs. It replaces its own processes that die."""
    command = [sys.executable, "-m", "granian", "--interface", "wsgi"]
    command += ["--host", host, "--port", str(port)]
    command += ["--workers", str(WEB_PROCESSES)]
    command += ["--blocking-threads", str(WEB_THREADS)]
    command += ["--respawn-failed-workers", "--respawn-interval", "0.2"]
    command += ["--workers-kill-timeout", "20", APPLICATION]
    return Service(
        name="Web server",
        command=command,
        log=home.logs / "web.log",
        folder=PROJECT,
        environment={
            **environment,
            "MNEME_PROCESS": "web",
            "PROMETHEUS_MULTIPROC_DIR": str(home.metrics),
        },
        before=lambda: _clear_way(home, host, port),
        ready=lambda log: responds(host, port),
        trouble=re.compile(r"Unexpected exit from worker-\d+"),
    )


def _clear_way(home: Home, host: str, port: int) -> None:
    """Make sure of the port, and of a folder without the counts of an earlier run."""
    ports.ensure_free(host, port)
    shutil.rmtree(home.metrics, ignore_errors=True)
    home.metrics.mkdir(mode=0o700)


def worker(home: Home, environment: Mapping[str, str]) -> Service:
    """Return how the background worker runs. It replaces its processes that die."""
    command = [*CELERY, "worker", "--pool", "prefork", "--loglevel", "INFO"]
    command += ["--concurrency", str(WORKER_PROCESSES)]
    command += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    return Service(
        name="Worker",
        command=command,
        log=home.logs / "worker.log",
        folder=PROJECT,
        environment={**environment, "MNEME_PROCESS": "jobs"},
        ready=lambda log: log.shows(" ready."),
        trouble=re.compile(r"Process '[\w-]+' pid:\d+ exited with '[^']*'"),
    )


def scheduler(home: Home, environment: Mapping[str, str]) -> Service:
    """Return how the scheduler of periodic tasks runs."""
    command = [*CELERY, "beat", "--loglevel", "INFO", "--pidfile="]
    command += ["--schedule", str(home.schedule)]
    return Service(
        name="Scheduler",
        command=command,
        log=home.logs / "scheduler.log",
        folder=PROJECT,
        environment={**environment, "MNEME_PROCESS": "jobs"},
        ready=lambda log: log.shows("beat: Starting"),
    )


def reapplier(home: Home, environment: Mapping[str, str]) -> Service:
    """Return how the erasures of the ledger are repeated after a restore."""
    return Service(
        name="Erasures",
        command=[sys.executable, "-m", "django", "restore", "--reapply"],
        log=home.logs / "restore.log",
        folder=PROJECT,
        environment=environment,
        ready=lambda log: True,
    )


def is_closed(home: Home) -> bool:
    """Return whether the service is in restore mode and answers nobody."""
    return ((env.LEDGER_DIR.read() or home.root / "ledger") / RESTORE_MODE).exists()


def responds(host: str, port: int) -> bool:
    """Return whether the web server answers a request, whatever the answer."""
    try:
        connection = HTTPConnection(reachable(host), port, timeout=3)
        connection.request("GET", "/", headers={"Host": "localhost"})
        connection.getresponse()
        connection.close()
    except (OSError, HTTPException):
        return False
    return True


def reachable(host: str) -> str:
    """Return an address of this machine for a listener on `host`."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104


def browsable(host: str) -> str:
    """Return the name under which a browser on this machine opens a listener on `host`.

    Passkeys refuse an IP address, so the loopback address is called by its name.
    """
    reached = reachable(host)
    if reached in {"127.0.0.1", "::1"}:
        return "localhost"
    return f"[{reached}]" if ":" in reached else reached


def manage(home: Home, environment: Mapping[str, str], command: str) -> None:
    """Run a management command as the owner; CannotStart tells why it failed."""
    log = Log(home.logs / f"{command}.log")
    with log.open() as file:
        done = subprocess.run(
            [sys.executable, "-m", "django", command],
            cwd=PROJECT,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            process_group=0,
            check=False,
        )
    log.bound()
    if done.returncode:
        tail = log.tail()
        if full := full_disk(home.root, "".join(tail)):
            raise CannotStart(full)
        lines = "".join(f"\n    {line[:300]}" for line in tail)
        raise CannotStart(f"The step `{command}` failed; its log is {log.path}:{lines}")
