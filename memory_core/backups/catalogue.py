"""Which backups there are and when they go: a file outside the database.

In the database it would be restored with it and forget the newer backups.
"""

import fcntl
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings

NAME = "backups.jsonl"


@dataclass(frozen=True, slots=True)
class Backup:
    """One backup: what was live at `taken_at` is in it until it is deleted."""

    id: str
    path: str
    taken_at: datetime
    expires_at: datetime
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Drill:
    """A rehearsed restore: which backup, when, and whether it ended as it must."""

    backup: str
    at: datetime
    ok: bool
    problem: str = ""
    seconds: int = 0
    erased: int = 0


def add(backup: Backup) -> None:
    """Note a new backup."""
    _append({"event": "taken", **asdict(backup)})


def remove(backup_id: str, *, now: datetime) -> None:
    """Note that a backup is deleted."""
    _append({"event": "removed", "id": backup_id, "at": now})


def note_restore(backup_id: str, *, now: datetime) -> None:
    """Note that the database was restored from a backup."""
    _append({"event": "restored", "id": backup_id, "at": now})


def note_drill(drill: Drill) -> None:
    """Note how a rehearsal went."""
    _append({"event": "drill", **asdict(drill)})


def standing() -> list[Backup]:
    """Return the backups that were not deleted yet, the oldest first."""
    found: dict[str, Backup] = {}
    for line in _lines():
        event = line.pop("event")
        if event == "taken":
            found[line["id"]] = _backup(line)
        elif event == "removed":
            found.pop(line["id"], None)
    return sorted(found.values(), key=lambda one: one.taken_at)


def newest_backup_holding(since: datetime) -> datetime | None:
    """Return when the last backup expires that may hold what was erased at `since`.

    None if there is no such backup any more. A backup past its date that could not be
    deleted still counts.
    """
    return max((b.expires_at for b in standing() if b.taken_at < since), default=None)


def last_drill() -> Drill | None:
    """Return the last rehearsal, None before the first."""
    last = None
    for line in _lines():
        if line.pop("event") == "drill":
            last = Drill(**{**line, "at": datetime.fromisoformat(line["at"])})
    return last


def _backup(line: dict[str, Any]) -> Backup:
    moments = {
        name: datetime.fromisoformat(line[name]) for name in ("taken_at", "expires_at")
    }
    return Backup(**{**line, **moments})


def _lines() -> Iterator[dict[str, Any]]:
    try:
        text = _path().read_text()
    except FileNotFoundError:
        return
    for line in text.splitlines():
        yield json.loads(line)


def _append(line: dict[str, Any]) -> None:
    path = _path()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(json.dumps(line, default=datetime.isoformat) + "\n")
        file.flush()
        os.fsync(file.fileno())


def _path() -> Path:
    return Path(settings.LEDGER_DIR) / NAME
