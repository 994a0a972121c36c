"""Restore mode: a small file beside the ledger. While it is there, nobody is served.

It is asked on every request, so it is a file and no row; and the database is just what
cannot be trusted then.
"""

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings

from memory_core.config.embedded.home import RESTORE_MODE


@dataclass(frozen=True, slots=True)
class Restore:
    """Why nobody is served. Stages: `restoring`, `waiting`, `reapplying`, `failed`.

    `reason` is `restored`, `ledger_ahead` or `ledger_broken`; `problem` a code, empty
    if there is none; `left` counts what a verification still found.
    """

    reason: str
    since: str
    stage: str = "waiting"
    backup: str = ""
    problem: str = ""
    left: int = 0


def is_on() -> bool:
    """Return whether the service answers with its restore page only."""
    return _path().exists()


def state() -> Restore | None:
    """Return the state, None when the service is open."""
    try:
        return Restore(**json.loads(_path().read_text()))
    except FileNotFoundError:
        return None
    except (ValueError, TypeError):
        return Restore("unknown", "", problem="unreadable")


def begin(reason: str, *, stage: str, now: datetime, backup: str = "") -> None:
    """Close the service, or say anew why it is closed."""
    note(Restore(reason, now.isoformat(), stage, backup))


def note(restore: Restore) -> None:
    """Replace the state."""
    path = _path()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_suffix(".new")
    draft.write_text(json.dumps(asdict(restore)))
    draft.replace(path)


def end() -> None:
    """Open the service."""
    _path().unlink(missing_ok=True)


def _path() -> Path:
    return Path(settings.LEDGER_DIR) / RESTORE_MODE
