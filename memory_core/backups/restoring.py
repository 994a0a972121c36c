"""The way back: an old database in, then everything that was erased since out again."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command

from memory_core import auditing, isolation, ledger
from memory_core.auditing.refill import next_id, refill
from memory_core.backups import catalogue, loading, manifest
from memory_core.backups.errors import BackupError
from memory_core.config import roles
from memory_core.contracts.callers import Actor
from memory_core.erasure.reapplying import reapply as erase_again
from memory_core.ledger import mode

RESTORED, AHEAD, BROKEN = "restored", "ledger_ahead", "ledger_broken"


@dataclass(frozen=True, slots=True)
class Reapplied:
    """How the erasures went that were repeated; `problem` is empty when all hold."""

    erased: int
    lifted: int
    residue: int
    problem: str = ""


def newest(folder: Path) -> Path:
    """Return `folder` if it is a backup, else the newest one in it; or BackupError."""
    if (folder / manifest.NAME).exists():
        return folder
    found = sorted(one.parent for one in folder.glob(f"*/{manifest.NAME}"))
    if not found:
        raise BackupError(f"There is no backup in {folder}.")
    return max(found, key=lambda place: manifest.read(place).moment)


def restore(place: Path, *, by: Actor, now: datetime) -> None:
    """Replace the database by the backup in `place` and close the service.

    BackupError says why it cannot be done; the database is then as it was.
    """
    backup = manifest.read(place)
    manifest.check(backup, place)
    ledger.head()
    with _alone():
        _claim()
        was = mode.state()
        mode.begin(RESTORED, stage="restoring", backup=backup.id, now=now)
        try:
            loading.load(place, next_entry=next_id())
        except BackupError:
            mode.note(was) if was else mode.end()
            raise
        catalogue.note_restore(backup.id, now=now)
        _settle(backup.id, by=by, now=now)


def close_if_behind(*, now: datetime) -> bool:
    """Close the service if the ledger knows more than the database; return whether.

    So that a database that was restored by other means is noticed as well. If it is
    the ledger that lost lines, it gets them back.
    """
    if mode.is_on():
        return True
    try:
        if not ledger.is_ahead_of_database():
            ledger.catch_up(now=now)
            return False
        mode.begin(AHEAD, stage="waiting", now=now)
    except ledger.LedgerBroken:
        mode.begin(BROKEN, stage="failed", now=now)
    return True


def reapply(*, by: Actor, now: datetime) -> Reapplied:
    """Repeat the erasures of the ledger; open the service if nothing is left.

    Otherwise it stays closed, and its restore page names the problem. A restore that
    was killed is brought to its end first.
    """
    with _alone():
        state = mode.state() or mode.Restore(AHEAD, now.isoformat())
        if state.stage == "restoring":
            _settle(state.backup, by=by, now=now)
        mode.note(replace(state, stage="reapplying", problem=""))
        try:
            done = _reapply(now)
        except Exception as error:
            mode.note(replace(state, stage="failed", problem=type(error).__name__))
            raise
        return _close_or_open(state, done, by=by)


def _settle(backup: str, *, by: Actor, now: datetime) -> None:
    """Bring the loaded database up to this version, and its audit log up to date.

    May be repeated, and does nothing to a database that was not replaced.
    """
    call_command("migrate", interactive=False, verbosity=0)
    roles.put_in_place(key=settings.DIGEST_KEY)
    entries = refill(now=now)
    _record("backup.restore", by, backup=backup, entries=entries)
    mode.begin(RESTORED, stage="waiting", backup=backup, now=now)


def _close_or_open(state: mode.Restore, done: Reapplied, *, by: Actor) -> Reapplied:
    if done.problem:
        failed = replace(state, stage="failed", problem=done.problem, left=done.residue)
        mode.note(failed)
        return done
    counts = {"erased": done.erased, "lifted": done.lifted}
    _record("backup.reapply", by, backup=state.backup, **counts)
    mode.end()
    return done


def _reapply(now: datetime) -> Reapplied:
    lifted = ledger.lift_again(now=now)
    again = erase_again(now=now)
    problem = ""
    if again.failed:
        problem = "erasure_failed"
    elif again.residue:
        problem = "residue_found"
    elif ledger.is_ahead_of_database():
        problem = "ledger_ahead"
    return Reapplied(again.erased, lifted, again.residue, problem)


@contextmanager
def _alone() -> Iterator[None]:
    """Restore or reapply while nobody else does; BackupError if somebody does."""
    folder = Path(settings.LEDGER_DIR)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / ".restoring").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BackupError("A restore is under way already.") from None
        yield


def _claim() -> None:
    """See to it that nobody else uses the database; BackupError if somebody does."""
    if mode.is_on():
        loading.end_others()
    elif others := loading.connected():
        raise BackupError(
            f"{others} others are connected to the database; stop Mneme on all "
            "machines first."
        )


def _record(action: str, by: Actor, **details: Any) -> None:
    with isolation.transaction_for(by):
        auditing.record(action, by=by, **details)
