"""Backups go when their time is over, and the catalogue tells that they went."""

import shutil
from datetime import datetime, timedelta
from pathlib import Path

from memory_core.backups import catalogue, manifest
from memory_core.backups.dumping import PREFIX

A_DAY = timedelta(days=1)
"""No dump takes longer; an older draft belongs to nobody."""


def prune(*, now: datetime) -> list[str]:
    """Delete the backups whose time is over; return the ids of those that are gone.

    One whose folder somebody deleted counts as gone; one on a disk that is not there
    does not.
    """
    for folder in {Path(backup.path).parent for backup in catalogue.standing()}:
        sweep(folder, now=now)
    gone = [
        backup.id
        for backup in catalogue.standing()
        if _is_gone(Path(backup.path), is_over=backup.expires_at <= now)
    ]
    for one in gone:
        catalogue.remove(one, now=now)
    return gone


def sweep(folder: Path, *, now: datetime) -> None:
    """Delete what a backup that was killed left half written in a folder."""
    for draft in folder.glob(f".{PREFIX}*"):
        if draft.stat().st_mtime < (now - A_DAY).timestamp():
            shutil.rmtree(draft, ignore_errors=True)


def _is_gone(place: Path, *, is_over: bool) -> bool:
    if not place.parent.is_dir():
        return False
    if place.exists() and is_over:
        (place / manifest.DUMP).unlink(missing_ok=True)
        shutil.rmtree(place, ignore_errors=True)
    return not place.exists()
