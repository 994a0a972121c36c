"""A file of memories into the service, line by line: nothing aborts half-way."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from typing import IO

from memory_core import isolation
from memory_core.contracts.callers import Actor, Scope
from memory_core.contracts.memories import Draft
from memory_core.exceptions import MnemeError
from memory_core.models import Owner
from memory_core.queueing import enqueue
from memory_core.saving import gates
from memory_core.saving.provenance import Origin, origin_of
from memory_core.screening import parallel
from memory_core.snapshots.checking import Sample
from memory_core.snapshots.drafts import Age, Line, draft_of
from memory_core.snapshots.lines import (
    ESCAPE,
    LONGEST_LINE,
    BadLine,
    check,
    is_manifest,
    load,
)
from memory_core.snapshots.links import Links
from memory_core.snapshots.manifest import PartCheck
from memory_core.snapshots.pieces import Reader, plain_piece
from memory_core.snapshots.placing import Result, place_lines
from memory_core.snapshots.report import MOST_NAMED, Fault, Outcome, Quarantine, Report

LINES_AT_ONCE = 200
"""So many that a job gives signs of life often enough, vectors to be made included."""
LINES_IN_PARALLEL = 1_000
"""Where other processes screen: they go on while the first lines are stored."""
BYTES_AT_ONCE = 4 * 1024 * 1024
MANY = 10_000
"""Added memories after which the indexes of large owners are looked after at once."""

Resolve = Callable[[str, str], Scope]
"""Gives the scope for a namespace ("" for the caller's home) and an owner."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Who imports, where to, and how; `namespace` redirects every line."""

    by: Actor
    resolve: Resolve
    now: datetime
    namespace: str = ""
    dry_run: bool = False
    age: Age = "touch"


Group = tuple[Scope, Origin]


@dataclass(slots=True)
class Import:
    """One import under way; `number` is that of the last line it has taken."""

    target: Target
    quarantine: Quarantine
    report: Report
    links: Links = field(default_factory=Links)
    sample: Sample = field(default_factory=Sample)
    parts: PartCheck | None = field(default_factory=lambda: PartCheck(None))
    read: Reader = plain_piece
    number: int = 0
    _shown: dict[int, int] = field(default_factory=dict)

    def take(self, lines: Iterable[bytes]) -> Report:
        """Take all lines and return the report."""
        try:
            for _ in self.steps(lines):
                pass
            return self.finish()
        finally:
            self.close()

    def steps(self, lines: Iterable[bytes]) -> Iterator[None]:
        """Store line after line; gives a sign after each batch that is stored."""
        for batch in self._batches(lines):
            self._store(batch)
            self._shown.clear()
            yield

    def finish(self) -> Report:
        """Tie the links, look for a sample of what came in, and return the report."""
        if self.parts:
            self.report.checksum_mismatches = self.parts.end()
        if not self.target.dry_run:
            self.report.links_dropped += self.links.tie(self.target.by)
            self.report.checked = self.sample.check(self.target.by)
            if self.report.added >= MANY:
                enqueue("tend_indexes")
        return self.report

    def close(self) -> None:
        """Close the files beside the import; the report names the quarantine."""
        self.links.close()
        self.report.quarantine_file = self.quarantine.close()

    def _batches(self, lines: Iterable[bytes]) -> Iterator[list[Line]]:
        most = LINES_IN_PARALLEL if parallel.is_parallel() else LINES_AT_ONCE
        batch: list[Line] = []
        size = 0
        for raw in lines:
            self.number += 1
            line = self._read(raw)
            if line is None:
                continue
            batch.append(line)
            size += len(raw)
            if len(batch) == most or size >= BYTES_AT_ONCE:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def _read(self, raw: bytes) -> Line | None:
        """Return the memory of a line; None for a manifest, an empty or a bad line."""
        piece = self.read(self.number, raw)
        if piece.value is None:
            return None
        if isinstance(piece.value, dict) and is_manifest(piece.value):
            self.parts = self.parts and PartCheck(piece.value)
            return None
        if self.parts:
            self.parts.add(raw)
        self.report.lines += 1
        self._shown[self.number] = piece.line
        try:
            if isinstance(piece.value, BadLine):
                raise piece.value
            record = check(piece.value, has_escapes=ESCAPE in piece.raw)
            return Line(self.number, piece.raw, record)
        except BadLine as error:
            fault = Fault(self.number, error.code, error.message, error.field)
            self._put_aside(fault, piece.raw)
            return None

    def _store(self, batch: list[Line]) -> None:
        groups: dict[Group, list[tuple[Line, Draft]]] = defaultdict(list)
        resolve = cache(self.target.resolve)
        for line in batch:
            draft = self._draft(line)
            try:
                scope = resolve(draft.namespace, draft.owner_id)
            except MnemeError as error:
                self._refuse(line, Fault(line.number, error.code, error.detail))
                continue
            groups[scope, origin_of(draft, self.target.by)].append((line, draft))
        for (scope, _), lines in groups.items():
            self._place(scope, lines)

    def _draft(self, line: Line) -> Draft:
        target = self.target
        namespace = target.namespace or line.record.get("namespace", "")
        return draft_of(
            line.record, namespace=namespace, age=target.age, now=target.now
        )

    def _place(self, scope: Scope, lines: list[tuple[Line, Draft]]) -> None:
        target = self.target
        scope = self._with_owner(scope)
        results: list[Result] = place_lines(
            lines, target.by, scope, dry_run=target.dry_run, now=target.now
        )
        by_number = {line.number: line for line, _ in lines}
        scope = self._with_owner(scope)
        for result in results:
            if isinstance(result, Outcome):
                self._count(result, by_number[result.line], scope)
            else:
                self._refuse(*result)

    def _count(self, outcome: Outcome, line: Line, scope: Scope) -> None:
        self.report.count(replace(outcome, line=self._shown[outcome.line]))
        if self.target.dry_run:
            return
        # An earlier, interrupted import may have stored the line and not its links.
        self.links.note(line, outcome.memory_id, scope.owner)
        self.links.keep(line, outcome.memory_id, scope)
        is_news = outcome.event == "added" and not outcome.is_held
        if is_news and line.status == "active":
            self.sample.offer(outcome.memory_id, scope)

    def _with_owner(self, scope: Scope) -> Scope:
        """Return the scope with the owner's row id, which a first line has made."""
        if scope.owner:
            return scope
        with isolation.transaction_for(self.target.by):
            rows = Owner.objects.filter(external_id=scope.owner_id)
            owner = rows.values_list("pk", flat=True).first() or 0
        return Scope(owner, scope.owner_id, scope.namespaces)

    def _refuse(self, line: Line, fault: Fault) -> None:
        self.report.refused += 1
        self._put_aside(fault, line.raw)

    def _put_aside(self, fault: Fault, raw: bytes) -> None:
        fault = replace(fault, line=self._shown[fault.line])
        self.report.faults += 1
        if len(self.report.quarantined) < MOST_NAMED:
            self.report.quarantined.append(fault)
        self.quarantine.keep(fault, b"" if self._may_not_be_kept(raw) else raw)

    def _may_not_be_kept(self, raw: bytes) -> bool:
        """What nobody may store is not put aside either."""
        try:
            owner_id = load(raw).get("owner_id")
        except BadLine:
            return False
        if not isinstance(owner_id, str):
            return False
        with isolation.transaction_for(self.target.by):
            return gates.is_shut(owner_id)


def bounded_lines(stream: IO[bytes]) -> Iterator[bytes]:
    """Return the lines of a stream; of a longer one than may be, so much that it shows.

    A line is never held whole when it is too long.
    """
    while line := stream.readline(LONGEST_LINE + 1):
        yield line
        while len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            line = stream.readline(LONGEST_LINE + 1)
