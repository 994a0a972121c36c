"""Check the chain and its anchors; name the first place that does not hold."""

import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any, Self

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from memory_core.auditing import anchor
from memory_core.auditing.canonical import GENESIS, link
from memory_core.models import AuditEntry, AuditSeal

CHUNK = 2_000
SEALING_TIME = timedelta(minutes=2)
CLOCK_SLACK = timedelta(seconds=60)


@dataclass(slots=True)
class Report:
    """What `verify` found: `intact_up_to` is the last position that holds."""

    intact: bool = True
    checked: int = 0
    intact_up_to: int = 0
    problem: str = ""
    position: int | None = None
    entry_id: int | None = None
    anchors: int = 0
    unsealed: int = 0
    clock_went_back: list[int] = field(default_factory=list)

    def fail(self, problem: str, position: int | None, entry: int | None) -> None:
        """Keep the first problem only: what follows it cannot be judged."""
        if self.intact:
            self.intact, self.problem = False, problem
            self.position, self.entry_id = position, entry

    def as_dict(self) -> dict[str, object]:
        """Return the report as plain values for JSON."""
        return asdict(self)


@dataclass(slots=True)
class Check:
    """A check under way: what it found so far, and from where it goes on."""

    report: Report = field(default_factory=Report)
    chain: bytes = GENESIS
    latest: datetime | None = None

    def as_dict(self) -> dict[str, object]:
        """Return it as plain values for JSON; `of` reads them."""
        latest = self.latest and self.latest.isoformat()
        report = self.report.as_dict()
        return {"report": report, "chain": self.chain.hex(), "latest": latest}

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """Return the check that was kept, a new one of nothing."""
        if not values:
            return cls()
        latest = values["latest"] and datetime.fromisoformat(values["latest"])
        return cls(Report(**values["report"]), bytes.fromhex(values["chain"]), latest)


def verify(*, now: datetime | None = None) -> Report:
    """Walk the chain in bounded memory and return what was found; see `go_on`."""
    check = Check()
    go_on(check, until=math.inf, now=now)
    return check.report


def go_on(check: Check, *, until: float, now: datetime | None = None) -> bool:
    """Walk on to a moment of `time.monotonic()`; return whether all is checked.

    Problems: `entry_removed`, `entry_changed` (also moved or swapped), `seal_removed`,
    `anchor_forged`, `anchor_mismatch` (the chain was made anew), `tail_cut` (the
    anchor knows more entries than the table), `entry_not_sealed` (inserted aside).
    """
    report = check.report
    anchors = _genuine_anchors(report)
    if not _walk(check, anchors, until):
        return False
    last = max(anchors, default=0)
    if last > report.checked:
        report.fail("tail_cut", report.checked + 1, None)
    _look_for_strangers(report, now or timezone.now())
    return True


def unsealed() -> QuerySet[AuditEntry]:
    """Return the entries that no seal names, by a join that a million do not slow."""
    seals = AuditSeal.objects.filter(entry_id=OuterRef("pk"))
    return AuditEntry.objects.filter(~Exists(seals))


def _genuine_anchors(report: Report) -> dict[int, str]:
    found: dict[int, str] = {}
    report.anchors = 0
    for one in anchor.stored():
        if one is None or not one.is_genuine():
            report.fail("anchor_forged", one.position if one else None, None)
            continue
        report.anchors += 1
        if found.setdefault(one.position, one.chain) != one.chain:
            report.fail("anchor_mismatch", one.position, None)
    return found


def _walk(check: Check, anchors: dict[int, str], until: float) -> bool:
    """Return whether the walk has come to the end or to what does not hold."""
    report = check.report
    for seal, entry in _sealed_entries(after=report.checked):
        expected = report.checked + 1
        if seal.position != expected:
            report.fail("seal_removed", expected, None)
            return True
        report.checked = seal.position
        if problem := _problem(check, seal, entry, anchors):
            report.fail(problem, seal.position, seal.entry_id)
            return True
        report.intact_up_to = seal.position
        if seal.position % CHUNK == 0 and time.monotonic() >= until:
            return False
    return True


def _problem(
    check: Check, seal: AuditSeal, entry: AuditEntry | None, anchors: dict[int, str]
) -> str:
    """Return what is wrong with the next entry, "" if it continues the chain."""
    if entry is None:
        return "entry_removed"
    if link(check.chain, seal.position, entry) != bytes(seal.chain):
        return "entry_changed"
    check.chain = bytes(seal.chain)
    if anchors.get(seal.position, check.chain.hex()) != check.chain.hex():
        return "anchor_mismatch"
    if check.latest is not None and entry.at < check.latest - CLOCK_SLACK:
        check.report.clock_went_back.append(seal.position)
    check.latest = entry.at
    return ""


def _sealed_entries(*, after: int) -> Iterator[tuple[AuditSeal, AuditEntry | None]]:
    while seals := list(
        AuditSeal.objects.filter(position__gt=after).order_by("position")[:CHUNK]
    ):
        entries = AuditEntry.objects.in_bulk([seal.entry_id for seal in seals])
        for seal in seals:
            yield seal, entries.get(seal.entry_id)
        after = seals[-1].position


def _look_for_strangers(report: Report, now: datetime) -> None:
    loose = unsealed()
    report.unsealed = loose.count()
    newest = AuditSeal.objects.order_by("-position").first()
    if newest is None:
        return
    stranger = (
        loose.filter(pk__lt=newest.entry_id, at__lt=now - SEALING_TIME)
        .order_by("pk")
        .first()
    )
    if stranger:
        report.fail("entry_not_sealed", None, stranger.pk)
