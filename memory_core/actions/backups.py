"""Backups and the way back, as the person on the command line asks for them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import OperationalError, connection

from memory_core import auditing, isolation
from memory_core.backups import Backup, Drill, drills, dumping, restoring
from memory_core.backups.restoring import Reapplied, close_if_behind
from memory_core.config.embedded import (
    PostgresHandle,
    ValkeyHandle,
    start_postgres,
    start_valkey,
)
from memory_core.config.embedded.home import Home
from memory_core.contracts.callers import Actor
from memory_core.ledger import mode

__all__ = [
    "Backup",
    "Drill",
    "Reapplied",
    "close_if_behind",
    "reapply",
    "rehearse",
    "restore",
    "servers",
    "take",
]


def take(*, to: Path, by: Actor, now: datetime) -> Backup:
    """Return the new backup; BackupError says why there is none."""
    made = dumping.take(to, now=now)
    with isolation.transaction_for(by):
        auditing.record("backup.take", by=by, backup=made.id, sha256=made.sha256)
    return made


def restore(*, source: Path, by: Actor, now: datetime) -> None:
    """Replace the database by a backup and close the service; BackupError if not."""
    restoring.restore(restoring.newest(source), by=by, now=now)


def reapply(*, by: Actor, now: datetime) -> Reapplied:
    """Repeat the ledger's erasures; the service opens if nothing is left."""
    return restoring.reapply(by=by, now=now)


def rehearse(*, source: Path, now: datetime) -> Drill:
    """Return how a restore on other servers went."""
    return drills.rehearse(restoring.newest(source), now=now)


@contextmanager
def servers() -> Iterator[None]:
    """Have the database and Valkey answer while the block runs.

    The embedded ones are started unless they run; CannotStart while Mneme runs here
    and is not in restore mode.
    """
    home = Home(settings.HOME)
    home.prepare()
    runs_closed = mode.is_on() and _answers()
    with nullcontext() if runs_closed else home.locked():
        handles: list[PostgresHandle | ValkeyHandle] = []
        if not runs_closed:
            if not os.environ.get("DATABASE_URL"):
                handles.append(start_postgres(settings.HOME, durable=True))
            if not os.environ.get("REDIS_URL"):
                handles.append(start_valkey(settings.HOME))
        try:
            yield
        finally:
            connection.close()
            for handle in reversed(handles):
                handle.stop()


def _answers() -> bool:
    try:
        connection.ensure_connection()
    except OperationalError:
        return False
    return True
