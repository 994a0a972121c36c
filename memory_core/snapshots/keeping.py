"""Daily snapshots in a place of their own, kept for so many days; and who leaves them.

A snapshot is an export of the whole installation. It is written under another name and
renamed when it is whole, so a crash leaves the one before. Its lines are sealed with
their owners' keys.
"""

import itertools
import json
import os
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings

from memory_core import foreign_json
from memory_core.contracts.callers import SYSTEM, Actor
from memory_core.models import Namespace
from memory_core.snapshots import catalogue, sealing
from memory_core.snapshots.exporting import Export, Wanted, export_while
from memory_core.snapshots.lines import BadLine, load
from memory_core.snapshots.manifest import Tally, first_line
from memory_core.snapshots.taking_turns import GiveWay, giving_way, writing

PREFIX = "daily-"
QUARANTINE_KEPT = timedelta(days=30)
ALWAYS = itertools.repeat(True)


def folder() -> Path:
    """Return where the snapshots are."""
    return Path(settings.SNAPSHOT_DIR)


@writing()
def take(*, now: datetime, is_wanted: Iterator[bool] = ALWAYS) -> Path | None:
    """Write today's snapshot, vectors included, and return its path.

    None if `is_wanted`, asked now and then, says no, and if an erasure waits.
    """
    spaces = list(Namespace.objects.order_by("pk").values_list("pk", flat=True))
    wanted = Wanted(namespaces=spaces, with_vectors=True, sealed=True)
    path = folder() / f"{PREFIX}{now:%Y-%m-%d}.jsonl"
    made = write_export(path, wanted, SYSTEM, is_wanted=is_wanted, now=now)
    if made is None:
        return None
    catalogue.note_daily(
        path.name,
        memories=made.manifest["counts"]["memories"],
        size=path.stat().st_size,
        at=now,
    )
    return path


def write_export(
    path: Path, wanted: Wanted, by: Actor, *, is_wanted: Iterator[bool], now: datetime
) -> Export | None:
    """Write what `by` may see to a file that is kept, and return the export.

    None, and no file, if `is_wanted` says no or an erasure waits. It is called while
    `writing`.
    """
    try:
        made = export_while(giving_way(is_wanted), wanted, by, now=now)
        if made is not None:
            write(path, giving_way(made.stored()))
    except GiveWay:
        return None
    return made


def is_taken(*, now: datetime) -> bool:
    """Return whether today's snapshot is there."""
    return (folder() / f"{PREFIX}{now:%Y-%m-%d}.jsonl").exists()


def prune(*, keep: int) -> list[str]:
    """Delete all but the last `keep` snapshots; return the names of the deleted."""
    found = sorted(folder().glob(f"{PREFIX}*.jsonl"))
    gone = found[: max(0, len(found) - keep)]
    for path in gone:
        path.unlink(missing_ok=True)
    names = [path.name for path in gone]
    catalogue.drop_daily(names)
    return names


def remove_owner(owner_id: str) -> dict[str, int]:
    """Take an owner's lines out of all snapshots and quarantine files.

    Returns how many lines went, by file. Each file is rewritten and renamed, with a
    manifest of what is left.
    """
    counts = {path.name: _without(path, owner_id) for path in _files()}
    return {name: gone for name, gone in counts.items() if gone}


def lines_of_owner(owner_id: str) -> int:
    """Return how many lines of an owner all these files have: 0 after an erasure."""
    return sum(_count(path, owner_id) for path in _files())


def snapshots() -> list[Path]:
    """Return the files of all daily and ordered snapshots."""
    return sorted(folder().rglob("*.jsonl"))


def quarantined() -> list[Path]:
    """Return the files of lines that imports put aside."""
    return sorted((Path(settings.HOME) / "quarantine").glob("*.jsonl"))


def prune_quarantine(*, now: datetime) -> int:
    """Delete what imports put aside long ago; return how many files."""
    last = (now - QUARANTINE_KEPT).timestamp()
    old = [path for path in quarantined() if path.stat().st_mtime < last]
    for path in old:
        path.unlink(missing_ok=True)
    return len(old)


def _files() -> list[Path]:
    return [*snapshots(), *quarantined()]


def _count(path: Path, owner_id: str) -> int:
    with path.open("rb") as file:
        return sum(_is_of(line, owner_id) for line in file)


def _without(path: Path, owner_id: str) -> int:
    gone = _count(path, owner_id)
    if not gone:
        return 0
    rewrite(path, _kept(path, owner_id))
    return gone


def rewrite(path: Path, lines: Callable[[], Iterator[bytes]]) -> None:
    """Replace the lines of a file, with a manifest of them if it had one.

    `lines` is asked twice. A daily snapshot has to be verified again.
    """
    manifest = _manifest(path)
    if manifest is None:
        write(path, lines())
        return
    tally = Tally()
    for line in map(sealing.plain, lines()):
        tally.add(line, str(load(line).get("owner_id", "")))
    at = datetime.fromisoformat(manifest["exported_at"])
    again = tally.manifest(at=at, embedding_model=manifest.get("embedding_model", ""))
    write(path, _after(first_line(again), lines()))
    if path.parent == folder():
        catalogue.note_shorter(
            path.name,
            memories=again["counts"]["memories"],
            size=path.stat().st_size,
        )


def rewrite_plain(path: Path, stays: Callable[[bytes], bool]) -> int:
    """Drop lines of a file without a manifest; return how many."""
    with path.open("rb") as file:
        lines = file.readlines()
    kept = [line for line in lines if stays(line)]
    write(path, iter(kept))
    return len(lines) - len(kept)


def stored_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file as they are stored, without a manifest.

    Lines that nobody can read any more are left out.
    """
    with path.open("rb") as file:
        for number, line in enumerate(file):
            is_head = number == 0 and line.startswith(b'{"kind":')
            if not is_head and _is_readable(line):
                yield line


def _kept(path: Path, owner_id: str) -> Callable[[], Iterator[bytes]]:
    """Return what reads the lines that stay, without the manifest."""

    def lines() -> Iterator[bytes]:
        for line in stored_lines(path):
            if not _is_of(line, owner_id):
                yield line

    return lines


def _is_readable(line: bytes) -> bool:
    return any(True for _ in sealing.opened([line]))


def _manifest(path: Path) -> dict[str, str] | None:
    with path.open("rb") as file:
        first = file.readline()
    try:
        value = load(first)
    except BadLine:
        return None
    return value if "kind" in value else None


def _is_of(line: bytes, owner_id: str) -> bool:
    """Return whether a line, or the raw text in a quarantine line, is of the owner."""
    if (answer := sealing.is_of(line, owner_id)) is not None:
        return answer
    try:
        value = foreign_json.loads(line)
    except ValueError:
        return _stands_in(line.decode("utf-8", "replace"), owner_id)
    if not isinstance(value, dict):
        return False
    if "raw" in value and "owner_id" not in value:
        return _raw_is_of(str(value["raw"]), owner_id)
    return bool(value.get("owner_id") == owner_id)


def _raw_is_of(raw: str, owner_id: str) -> bool:
    try:
        value = foreign_json.loads(raw)
    except ValueError:
        return _stands_in(raw, owner_id)
    if isinstance(value, dict) and "owner_id" in value:
        return bool(value["owner_id"] == owner_id)
    # Another system's record: whose it is stands somewhere in it.
    forms = json.dumps(owner_id), json.dumps(owner_id, ensure_ascii=False)
    return any(form in raw for form in forms)


def _stands_in(text: str, owner_id: str) -> bool:
    return owner_id in text or owner_id in foreign_json.unescaped(text)


def _after(first: bytes, lines: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from lines


def write(path: Path, pieces: Iterator[bytes]) -> None:
    """Write a file that only its owner reads, and rename it when it is on the disk."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    waiting = path.with_suffix(".new")
    waiting.touch(mode=0o600)
    try:
        with waiting.open("wb") as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        waiting.unlink()
        raise
    waiting.replace(path)
