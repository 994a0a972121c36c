"""Rehearse a restore: the same steps on servers of its own, which then go.

Nothing of the running service is touched: a new home in a temporary folder, with
copies of the keys and the ledger.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path

from django.conf import settings

from memory_core.backups import catalogue, manifest
from memory_core.backups.catalogue import Drill
from memory_core.backups.errors import BackupError
from memory_core.config.embedded import start_postgres, start_valkey

KEPT = ("MNEME_TOMBSTONE_KEYS", "MNEME_EMBEDDER")
"""Of our variables only these: the others name places of the running service."""


def rehearse(place: Path, *, now: datetime) -> Drill:
    """Restore a backup elsewhere, repeat the erasures; note and return how it went.

    BackupError if there is none in `place`; other trouble is the drill's result.
    """
    backup = manifest.read(place)
    begun = time.monotonic()
    try:
        manifest.check(backup, place)
        code, said = _run(place.absolute())
    except BackupError as error:
        code, said = 1, str(error)
    drill = Drill(
        backup=backup.id,
        at=now,
        ok=code == 0,
        problem="" if code == 0 else _problem(said),
        seconds=round(time.monotonic() - begun),
        erased=_erased(said) if code == 0 else 0,
    )
    catalogue.note_drill(drill)
    return drill


def _run(place: Path) -> tuple[int, str]:
    with tempfile.TemporaryDirectory(prefix="mneme-drill-") as folder:
        return _restored(place, Path(folder) / "home")


def _restored(place: Path, home: Path) -> tuple[int, str]:
    home.parent.chmod(0o711)  # a server started by root runs as another user
    postgres, valkey = start_postgres(home), start_valkey(home)
    shutil.copytree(settings.KEYS_DIR, home / "keys")
    if Path(settings.LEDGER_DIR).exists():
        shutil.copytree(settings.LEDGER_DIR, home / "ledger")
    try:
        done = subprocess.run(
            [sys.executable, "-m", "django", "restore", "--from", place, "--json"],
            cwd=settings.BASE_DIR,
            env=_environment(home, postgres.url, valkey.url),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        valkey.stop()
        postgres.stop()
    return done.returncode, done.stdout or done.stderr


def _environment(home: Path, postgres: str, valkey: str) -> dict[str, str]:
    given = {
        name: value
        for name, value in os.environ.items()
        if name.startswith(KEPT) or not name.startswith(("MNEME_", "PG"))
    }
    return given | {
        "DATABASE_URL": postgres,
        "REDIS_URL": valkey,
        "MNEME_HOME": str(home),
        "DJANGO_SETTINGS_MODULE": "memory_core.config.settings",
    }


def _erased(said: str) -> int:
    erased: int = json.loads(said)["erased"]
    return erased


def _problem(said: str) -> str:
    """Return the last line, which is the sentence for people."""
    lines = said.strip().splitlines() or ["no reason given"]
    return lines[-1].removeprefix("CommandError: ")[:200]
