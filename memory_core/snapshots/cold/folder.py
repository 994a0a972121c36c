"""The files of the cold copy: one an owner, appended to, sometimes written anew.

A file is written anew when a memory leaves it, and when it has grown to twice what it
was then, so that what was replaced does not pile up.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO
from uuid import UUID

from django.conf import settings

from memory_core import digests
from memory_core.snapshots.cold.entries import (
    Position,
    front,
    opened,
    places,
    read_at,
    size_when_new,
)
from memory_core.snapshots.keeping import write
from memory_core.snapshots.lines import dump

SMALL = 64 * 1024
MANY_FILES = 20
"""From so many changed files on, one call writes all of the system's buffers out."""


def root() -> Path:
    """Return where the cold copy is."""
    return Path(settings.COLD_DIR)


def file_of(owner_id: str) -> Path:
    """Return where an owner's memories are, or will be; the name tells nothing."""
    name = digests.keyed("cold", owner_id).hex()[:40]
    return root() / "owners" / name[:2] / f"{name}.jsonl"


def files(where: Path) -> list[Path]:
    """Return the files of all owners in a cold copy."""
    return sorted((where / "owners").glob("??/*.jsonl"))


def append(owner_id: str, pieces: Sequence[bytes]) -> None:
    """Add entries to an owner's file, on a line of their own whatever a crash left."""
    path = file_of(owner_id)
    if not path.exists():
        write(path, iter([front(owner_id, 0), *pieces]))
        return
    with path.open("r+b") as file:
        grown_from = size_when_new(file)
        file.seek(-1, os.SEEK_END)
        if file.read(1) != b"\n":
            file.write(b"\n")
        file.writelines(pieces)
        size = file.tell()
    if size > 2 * grown_from + SMALL:
        rewrite(owner_id, without=set())


def rewrite(owner_id: str, *, without: set[UUID]) -> None:
    """Leave only the present entry of each memory, and none of some; or no file."""
    path = file_of(owner_id)
    with suppress(FileNotFoundError), path.open("rb") as file:
        found = places(file)
        kept = [place for pk, place in found.items() if pk not in without]
        if not kept:
            path.unlink()
            return
        first = front(owner_id, sum(size for _, size in kept))
        write(path, _copied(file, sorted(kept), first))


def lines_of(owner_id: str) -> Iterator[bytes]:
    """Yield an owner's memories as lines of the portable format; none without a file.

    Raises KeyDestroyed for an erased owner.
    """
    with suppress(FileNotFoundError), file_of(owner_id).open("rb") as file:
        for place in sorted(places(file).values()):
            yield dump(opened(owner_id, read_at(file, place))[1])


def settle(paths: Sequence[Path]) -> None:
    """Return once the files are on the disk."""
    if len(paths) > MANY_FILES:
        os.sync()
        return
    for path in paths:
        with suppress(FileNotFoundError), path.open("rb") as file:
            os.fsync(file.fileno())


def _copied(file: IO[bytes], kept: Sequence[Position], first: bytes) -> Iterator[bytes]:
    yield first
    for place in kept:
        yield read_at(file, place)
