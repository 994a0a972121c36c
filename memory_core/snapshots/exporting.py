"""Memories out of the service: lines to a file of our own, then its manifest in front.

The manifest stands first and tells counts and checksums, so the lines are written to
a nameless temporary file before the first byte leaves. Memory stays bounded.
"""

import itertools
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import IO, Any, Protocol

from memory_core import isolation
from memory_core.contracts.callers import Actor
from memory_core.contracts.enums import VectorSpaceState
from memory_core.models import Category, EmbeddingModel
from memory_core.snapshots import reading, sealing
from memory_core.snapshots.lines import dump
from memory_core.snapshots.manifest import Tally, first_line

PIECE = 256 * 1024
ASKED_EVERY = 500
"""Lines after which, and at each owner, it is asked whether to go on."""


class Readable(Protocol):
    """What pieces are read from."""

    def read(self, size: int, /) -> bytes:
        """Return so many bytes, fewer at the end."""

    def close(self) -> None:
        """Give back what is held."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What to export: namespaces by row id, one owner or all that the caller may see.

    `part` (from 0) asks for the lines of one part only. `sealed` is for files that
    stay here: each line is encrypted with its owner's key.
    """

    namespaces: Sequence[int]
    owner_id: str = ""
    ascii_only: bool = False
    with_vectors: bool = False
    part: int | None = None
    sealed: bool = False


@dataclass(frozen=True, slots=True)
class Export:
    """A finished export: its manifest, and a file at the start of its lines.

    The manifest tells of the lines as they are exported, sealed or not.
    """

    manifest: dict[str, Any]
    lines: IO[bytes]

    def pieces(self, part: int | None = None) -> "Pieces":
        """Return the bytes of the file, or of the lines of one part."""
        parts = self.manifest["parts"]
        if part is None:
            size = sum(one["bytes"] for one in parts)
            return Pieces(self.lines, size, first_line(self.manifest))
        self.lines.seek(sum(one["bytes"] for one in parts[:part]))
        return Pieces(self.lines, parts[part]["bytes"] if part < len(parts) else 0)

    def stored(self) -> Iterator[bytes]:
        """Yield the lines for a file that is kept, the manifest first."""
        with self.lines:
            yield first_line(self.manifest)
            yield from self.lines


class Pieces:
    """The bytes of an export, a piece at a time; closes its file at the end.

    Whoever stops before the end calls `close`, as a streamed answer does by itself.
    """

    def __init__(self, file: Readable, size: int, front: bytes = b"") -> None:
        self._file = file
        self._left = size
        self._front = front

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        if self._front:
            piece, self._front = self._front, b""
            return piece
        piece = self._file.read(min(PIECE, self._left)) if self._left else b""
        if not piece:
            self.close()
            raise StopIteration
        self._left -= len(piece)
        return piece

    def close(self) -> None:
        """Close the file, which removes it."""
        self._left = 0
        self._file.close()


def export(wanted: Wanted, by: Actor, *, now: datetime) -> Export:
    """Return all that is wanted and that the caller may see, in any state."""
    made = export_while(itertools.repeat(True), wanted, by, now=now)
    assert made is not None  # noqa: S101 - nobody stops it
    return made


def export_while(
    is_wanted: Iterator[bool], wanted: Wanted, by: Actor, *, now: datetime
) -> Export | None:
    """Return the same, or None if `is_wanted`, asked now and then, says no."""
    with isolation.transaction_for(by):
        active = EmbeddingModel.objects.filter(state=VectorSpaceState.ACTIVE).first()
        categories = dict(Category.objects.values_list("pk", "name"))
    tally = Tally()
    file = tempfile.TemporaryFile()  # noqa: SIM115 - closed once it was read
    try:
        model_id = active.pk if active and wanted.with_vectors else None
        for owner in reading.owners(by, wanted.owner_id):
            for number, record in enumerate(
                reading.records(
                    by,
                    owner,
                    wanted.namespaces,
                    model_id=model_id,
                    categories=categories,
                )
            ):
                if number % ASKED_EVERY == 0 and not next(is_wanted):
                    file.close()
                    return None
                line = dump(record, ascii_only=wanted.ascii_only)
                stored = sealing.sealed(owner[1], line) if wanted.sealed else line
                if not stored:
                    break  # erased since
                tally.add(line, owner[1])
                file.write(stored)
        file.seek(0)
    except BaseException:
        file.close()
        raise
    manifest = tally.manifest(at=now, embedding_model=active.name if active else "")
    return Export(manifest, file)
