"""The folder of one installation and what lies where in it."""

import errno
import fcntl
import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory_core.config.embedded.errors import CannotStart
from memory_core.config.embedded.identity import Identity

SOCKET_PATH_BYTES = 107  # Linux: sun_path holds 108 bytes with the closing zero
NO_SPACE = "No space left on device"
POSTGRES_HINT = "Check free disk space"
LEAST_BYTES = 1024 * 1024
LONGEST_SOCKET = ".s.PGSQL.5432.lock"
RESTORE_MODE = "restore.json"
"""Beside the erasure ledger; while it is there, the service answers nobody."""


@dataclass(frozen=True)
class Home:
    """MNEME_HOME, with the paths of its parts."""

    root: Path

    @property
    def postgres(self) -> Path:
        """PostgreSQL's data folder."""
        return self.root / "postgres"

    @property
    def valkey(self) -> Path:
        """Valkey's data folder."""
        return self.root / "valkey"

    @property
    def logs(self) -> Path:
        """The folder of the children's logs."""
        return self.root / "logs"

    @property
    def schedule(self) -> Path:
        """Where the scheduler keeps when each task last ran."""
        return self.root / "beat-schedule"

    @property
    def metrics(self) -> Path:
        """Where the web processes count, so that one can answer for all."""
        return self.root / "metrics"

    @property
    def record(self) -> Path:
        """The supervisor and its children, for `stop`, `status` and the next start."""
        return self.root / "supervisor.json"

    @property
    def sockets(self) -> Path:
        """The folder of the sockets: inside, unless its path cannot hold sockets.

        PostgreSQL's clients read a comma in it as a list of hosts.
        """
        inside = self.root / "sockets"
        length = len(os.fsencode(inside / LONGEST_SOCKET))
        if length <= SOCKET_PATH_BYTES and "," not in str(inside):
            return inside
        digest = hashlib.sha256(os.fsencode(self.root)).hexdigest()[:16]
        return Path(tempfile.gettempdir()) / f"mneme-{digest}"

    def prepare(self) -> None:
        """Make the folder; CannotStart if it cannot be made or written to."""
        mode = 0o711 if os.geteuid() == 0 else 0o700
        try:
            for part in (self.root, *self.root.parents):
                if part.exists() and not part.is_dir():
                    reason = f"{part} is not a folder"
                    raise CannotStart(f"Cannot use MNEME_HOME={self.root}: {reason}.")
            self.root.parent.mkdir(parents=True, exist_ok=True)
            if not self.root.exists():
                self.root.mkdir()
                self.root.chmod(mode)
            self.logs.mkdir(mode=0o700, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.root) as probe:
                probe.write(b"x" * 4096)
        except OSError as error:
            raise CannotStart(explain(error, self.root)) from error

    def make_folder(self, folder: Path, owner: Identity) -> None:
        """Make a private folder for the servers, or check that it is theirs."""
        try:
            folder.mkdir(mode=0o700)
            owner.own(folder)
        except FileExistsError:
            status = folder.lstat()
            if status.st_uid != owner.uid:
                raise CannotStart(
                    f"{folder} belongs to another system user; start Mneme as that "
                    "user or choose another MNEME_HOME."
                ) from None

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the installation while the block runs; CannotStart if it is held."""
        with (self.root / "lock").open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise CannotStart(
                    f"Mneme already runs in {self.root}; `make stop` ends it."
                ) from None
            yield

    def read_record(self) -> dict[str, Any]:
        """Return the last written record; empty if there is none that can be read."""
        try:
            record = json.loads(self.record.read_text())
        except (OSError, ValueError):
            return {}
        return record if isinstance(record, dict) else {}

    def write_record(self, record: dict[str, Any]) -> None:
        """Replace the record in one step."""
        draft = self.record.with_suffix(".new")
        draft.write_text(json.dumps(record))
        draft.replace(self.record)


def explain(error: OSError, folder: Path) -> str:
    """Return one sentence on why `folder` cannot be used."""
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return full_disk(folder, NO_SPACE) or ""
    return f"Cannot use MNEME_HOME={folder}: {error.strerror}."


def full_disk(folder: Path, words: str = "") -> str | None:
    """Return the sentence on a full disk if `words` or the disk itself tell of it.

    On a full disk a program may be unable to log why it ended.
    """
    status = os.statvfs(folder)
    told = NO_SPACE in words or POSTGRES_HINT in words
    if told or status.f_bavail * status.f_frsize < LEAST_BYTES:
        return f"The disk that holds {folder} is full."
    return None
