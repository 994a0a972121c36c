"""A file into the service in steps, each of which a killed process finds again.

After each batch the place in the file is written down, with the sizes of the files
beside it, so that what came after the last note is done once more and counted once.
"""

import hashlib
import json
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings

from memory_core.contracts.callers import Scope
from memory_core.snapshots import sealing
from memory_core.snapshots.checking import Sample
from memory_core.snapshots.importing import Import, Target, bounded_lines
from memory_core.snapshots.lines import BadLine, is_manifest, load
from memory_core.snapshots.links import Links
from memory_core.snapshots.manifest import PartCheck
from memory_core.snapshots.pieces import BOM, Reader, plain_piece
from memory_core.snapshots.report import Quarantine, Report

HEAD = 64 * 1024


def folder_for(file: Path, namespace: str, *, dry_run: bool) -> Path:
    """Return where the notes on a file's import into one namespace are, or its trial's.

    A file is known by its size and its first 64 KiB, so that another one of the same
    name starts at its first line.
    """
    with file.open("rb") as opened:
        head = opened.read(HEAD)
    key = f"{namespace}\x00{dry_run}\x00{file.stat().st_size}\x00".encode() + head
    name = hashlib.blake2b(key, digest_size=16).hexdigest()
    return Path(settings.HOME) / "imports" / name


@dataclass(slots=True)
class _Standing:
    """How far it came: place in the file, sizes of links and quarantine, counts."""

    offset: int = 0
    number: int = 0
    links: int = 0
    quarantine: int = 0
    report: dict[str, Any] = field(default_factory=dict)
    offered: int = 0
    sample: list[tuple[str, int, str, list[int]]] = field(default_factory=list)


class Intake:
    """The import of one file, whose notes are in a folder of its own."""

    def __init__(
        self,
        source: Path,
        folder: Path,
        *,
        target: Target,
        quarantine: Path | None,
        read: Reader = plain_piece,
    ) -> None:
        self._source = source
        self._folder = folder
        self._target = target
        self._quarantine = quarantine
        self._read = read
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def work(self, until: float, go_on: Callable[[Report], bool]) -> Report | None:
        """Go on until that moment of the clock; return the report once all is there.

        `go_on`, told the counts after each batch, may stop it earlier.
        """
        standing = self._found()
        work = self._import(standing)
        if not standing.report:
            work.report.checksum_mismatches = mismatches(self._source)
        try:
            with self._source.open("rb") as file:
                file.seek(standing.offset)
                for _ in work.steps(bounded_lines(file)):
                    self._note(work, file.tell())
                    if not go_on(work.report) or time.monotonic() >= until:
                        return None
            return work.finish()
        finally:
            work.close()

    def forget(self) -> None:
        """Drop the notes: the import is complete, or begins again."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _import(self, standing: _Standing) -> Import:
        kept = standing.report
        report = Report.from_dict(kept) if kept else Report(self._target.dry_run)
        sample = Sample(offered=standing.offered)
        for memory_id, owner, owner_id, spaces in standing.sample:
            scope = Scope(owner, owner_id, tuple(spaces))
            sample.kept.append((UUID(memory_id), scope))
        return Import(
            self._target,
            Quarantine(self._quarantine, size=standing.quarantine),
            report,
            links=Links(self._folder / "links", size=standing.links),
            sample=sample,
            parts=None,
            read=self._read,
            number=standing.number,
        )

    def _found(self) -> _Standing:
        try:
            return _Standing(**json.loads((self._folder / "standing.json").read_text()))
        except (FileNotFoundError, ValueError, TypeError):
            return _Standing()

    def _note(self, work: Import, offset: int) -> None:
        kept = {
            "offset": offset,
            "number": work.number,
            "links": work.links.settle(),
            "quarantine": work.quarantine.settle(),
            "report": work.report.to_dict(),
            "offered": work.sample.offered,
            "sample": [
                (str(pk), scope.owner, scope.owner_id, scope.namespaces)
                for pk, scope in work.sample.kept
            ],
        }
        path = self._folder / "standing.json"
        waiting = path.with_suffix(".new")
        waiting.touch(mode=0o600)
        waiting.write_text(json.dumps(kept))
        waiting.replace(path)


def mismatches(source: Path) -> list[int]:
    """Return which parts of a file are not what its manifest says; none without one."""
    with source.open("rb") as file:
        try:
            manifest = load(file.readline().removeprefix(BOM))
        except BadLine:
            return []
        if not is_manifest(manifest):
            return []
        parts = PartCheck(manifest)
        for line in sealing.opened(bounded_lines(file)):
            if line.strip():
                parts.add(line)
    return parts.end()
