"""What it takes to repeat an erasure after a restore: names, and what was redacted.

The ledger has digests only; they find owners, not words about a person in other
people's memories. So beside it lies a file for each run, sealed with a key of its own.
File and key go when no backup is left that was made before the erasure was done.
"""

import base64
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings

from memory_core.contracts.erasure import RunState, Subject
from memory_core.erasure import sealing
from memory_core.keys import data
from memory_core.models import ErasureRun
from memory_core.snapshots import keeping

FOLDER = "repeat"


@dataclass(frozen=True, slots=True)
class Kept:
    """A run that can be repeated; `subject` is None if nobody can read it any more."""

    run: str
    case: str
    subject: Subject | None


def keep(run: ErasureRun, subject: Subject) -> None:
    """Write down whom and what a run erases, before it does.

    Raises OSError: without it nothing may be redacted.
    """
    if run.is_canary:
        return
    sealed = data.seal(_name(run.ref), sealing.plain(subject))
    line = {
        "run": run.ref,
        "case": run.case_ref,
        "sealed": base64.b64encode(sealed).decode(),
    }
    keeping.write(_path(run.ref), iter([json.dumps(line).encode() + b"\n"]))


def pending() -> Iterator[Kept]:
    """Yield the runs that this database has not brought to their end."""
    for path in sorted(_folder().glob("*.json")):
        line = json.loads(path.read_bytes())
        if _done_at(line["run"]) is None:
            yield Kept(line["run"], line["case"], _subject(line))


def drop(run: str) -> None:
    """Forget a run, the file first: a key without a file is of no use to anybody."""
    _path(run).unlink(missing_ok=True)
    data.destroy(_name(run))


def prune(*, is_gone_from_backups: Callable[[datetime], bool]) -> int:
    """Forget the runs that no backup can undo any more; return how many."""
    count = 0
    for path in sorted(_folder().glob("*.json")):
        done_at = _done_at(path.stem)
        if done_at and is_gone_from_backups(done_at):
            drop(path.stem)
            count += 1
    return count


def _subject(line: dict[str, str]) -> Subject | None:
    try:
        plain = data.unseal(_name(line["run"]), base64.b64decode(line["sealed"]))
    except (data.KeyDestroyed, data.NotSealed):
        return None
    return sealing.parsed(plain)


def _done_at(run: str) -> datetime | None:
    rows = ErasureRun.objects.filter(ref=run, state=RunState.LIVE_ERASED)
    return rows.values_list("live_erased_at", flat=True).first()


def _folder() -> Path:
    return Path(settings.LEDGER_DIR) / FOLDER


def _path(run: str) -> Path:
    return _folder() / f"{run}.json"


def _name(run: str) -> str:
    return f"repeat:{run}"
