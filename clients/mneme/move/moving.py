"""Carry a dump into a store: map, import in batches, put what is bad aside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from mneme import jsonlines
from mneme.items import MemoryItem
from mneme.move.dumps import outcomes
from mneme.move.mappers import Mapper
from mneme.move.records import Record
from mneme.move.values import Defaults
from mneme.protocol import BadLine, ImportReport, MemoryStore

BATCH = 500  # memories in one import call


@dataclass
class Quarantine:
    """The bad records of a move, written one JSON line each as they are met."""

    path: Path | None = None
    count: int = 0
    codes: dict[str, int] = field(default_factory=dict)

    def add(self, bad: BadLine, raw: str) -> None:
        """Put one record aside."""
        self.count += 1
        self.codes[bad.code] = self.codes.get(bad.code, 0) + 1
        if self.path is None:
            return
        line = {"line": bad.line, "code": bad.code, "message": bad.message}
        with self.path.open("w" if self.count == 1 else "a", encoding="utf-8") as file:
            safe = raw.encode("utf-8", "replace").decode()
            whole = {**line, "field": bad.field, "raw": safe}
            file.write(jsonlines.dumps(whole) + "\n")


def move(
    records: Iterable[Record],
    mapper: Mapper,
    store: MemoryStore,
    defaults: Defaults,
    *,
    quarantine: Quarantine,
    dry_run: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> ImportReport:
    """Import every record that can be a memory and return the counts.

    Nothing aborts half-way: a bad record goes to the quarantine. Running it again after
    an interruption brings in what is missing and changes nothing else.
    """
    mapped = _mapped(records, mapper, defaults, quarantine)
    report, done = ImportReport(), 0
    while batch := list(islice(mapped, BATCH)):
        answer = store.import_batch((item for _, item in batch), dry_run=dry_run)
        for bad in answer.bad_lines:
            record = batch[bad.line - 1][0] if 0 < bad.line <= len(batch) else None
            line = record.line if record else bad.line
            quarantine.add(replace(bad, line=line), record.raw if record else "")
        report += answer
        done += len(batch)
        progress(done)
    return report


def _mapped(
    records: Iterable[Record],
    mapper: Mapper,
    defaults: Defaults,
    quarantine: Quarantine,
) -> Iterator[tuple[Record, MemoryItem]]:
    for record, found in outcomes(records, mapper, defaults):
        if isinstance(found, MemoryItem):
            yield record, found
        else:
            bad = BadLine(record.line, found.code, found.message, found.field)
            quarantine.add(bad, record.raw)
