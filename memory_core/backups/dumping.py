"""Make a backup: a dump in PostgreSQL's own format with its manifest."""

import os
import shutil
import subprocess
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings

from memory_core.backups import catalogue, manifest, programs
from memory_core.backups.catalogue import Backup
from memory_core.backups.errors import BackupError

PREFIX = "mneme-"


def take(to: Path, *, now: datetime) -> Backup:
    """Write a backup into a new folder below `to` and return it.

    The service may run meanwhile. The folder has its name only when all of it is on
    the disk; BackupError says why there is none.
    """
    name = f"{PREFIX}{now:%Y%m%dT%H%M%SZ}"
    place, draft = to.absolute() / name, to.absolute() / f".{name}"
    try:
        draft.mkdir(mode=0o700, parents=True)
        made = _fill(draft, name=name, now=now)
        draft.rename(place)
    except OSError as error:
        raise BackupError(f"{to} cannot be written to: {error.strerror}.") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    backup = Backup(
        id=name,
        path=str(place),
        taken_at=now,
        expires_at=datetime.fromisoformat(made.expires_at),
        bytes=made.bytes,
        sha256=made.sha256,
    )
    catalogue.add(backup)
    return backup


def _fill(draft: Path, *, name: str, now: datetime) -> manifest.Manifest:
    dump = draft / manifest.DUMP
    command = [str(programs.folder() / "pg_dump"), "--format", "custom"]
    command += ["--schema", "public", "--no-owner", "--no-privileges"]
    os.close(os.open(dump, os.O_WRONLY | os.O_CREAT, 0o600))
    done = subprocess.run(
        [*command, "--file", str(dump)],
        env=programs.environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise BackupError(f"The dump failed: {programs.first_fault(done.stderr)}")
    until = now + timedelta(days=settings.BACKUP_DAYS)
    made = manifest.describe(dump, name=name, taken_at=now, until=until)
    manifest.write(made, draft)
    for path in (dump, draft / manifest.NAME):
        with path.open("rb") as file:
            os.fsync(file.fileno())
    return made
