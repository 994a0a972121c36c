"""The log of one child: appended by the child, watched and bounded by us."""

import os
import shutil
from pathlib import Path
from typing import BinaryIO

LARGEST = 5 * 1024 * 1024  # bytes; one older file of the same size is kept


class Log:
    """A log file that its writer opens for appending, so it may be cut any time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read_to = path.stat().st_size if path.exists() else 0
        self._started_at = self._read_to

    def open(self) -> BinaryIO:
        """Return the file for the next run of the child; `tail` starts from here."""
        file = self.path.open("ab")
        self._started_at = file.tell()
        return file

    def news(self) -> list[str]:
        """Return the complete lines written since the last call."""
        if not self.path.exists():
            return []
        with self.path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            file.seek(self._read_to if self._read_to <= size else 0)
            text = file.read(LARGEST)
        complete, newline, _ = text.rpartition(b"\n")
        self._read_to = min(self._read_to, size) + len(complete + newline)
        return complete.decode(errors="replace").splitlines()

    def tail(self, lines: int = 5) -> list[str]:
        """Return the last lines of the current run."""
        if not self.path.exists():
            return []
        with self.path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            file.seek(max(min(self._started_at, size), size - 16384))
            text = file.read().decode(errors="replace")
        return [line for line in text.splitlines() if line.strip()][-lines:]

    def shows(self, text: str) -> bool:
        """Return whether the current run has logged this."""
        return any(text in line for line in self.tail(lines=100))

    def bound(self) -> None:
        """Move the text aside once the file is too large; its writer goes on."""
        if self.path.exists() and self.path.stat().st_size > LARGEST:
            shutil.copyfile(self.path, self.path.with_suffix(".log.1"))
            os.truncate(self.path, 0)
            self._read_to = self._started_at = 0
