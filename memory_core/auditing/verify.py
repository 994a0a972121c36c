"""Check the chain and its anchors; name the first place that does not hold."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta

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


def verify(*, now: datetime | None = None) -> Report:
    """Walk the chain in bounded memory and return what was found.

    Problems: `entry_removed`, `entry_changed` (also moved or swapped), `seal_removed`,
    `anchor_forged`, `anchor_mismatch` (the chain was made anew), `tail_cut` (the
    anchor knows more entries than the table), `entry_not_sealed` (inserted aside).
    """
    report = Report()
    anchors = _genuine_anchors(report)
    _walk(report, anchors)
    last = max(anchors, default=0)
    if last > report.checked:
        report.fail("tail_cut", report.checked + 1, None)
    _look_for_strangers(report, now or timezone.now())
    return report


def unsealed() -> QuerySet[AuditEntry]:
    """Return the entries that no seal names, by a join that a million do not slow."""
    seals = AuditSeal.objects.filter(entry_id=OuterRef("pk"))
    return AuditEntry.objects.filter(~Exists(seals))


def _genuine_anchors(report: Report) -> dict[int, str]:
    found: dict[int, str] = {}
    for one in anchor.stored():
        if one is None or not one.is_genuine():
            report.fail("anchor_forged", one.position if one else None, None)
            continue
        report.anchors += 1
        if found.setdefault(one.position, one.chain) != one.chain:
            report.fail("anchor_mismatch", one.position, None)
    return found


def _walk(report: Report, anchors: dict[int, str]) -> None:
    chain, latest = GENESIS, None
    for seal, entry in _sealed_entries():
        expected = report.checked + 1
        if seal.position != expected:
            return report.fail("seal_removed", expected, None)
        report.checked = seal.position
        if entry is None:
            return report.fail("entry_removed", seal.position, seal.entry_id)
        if link(chain, seal.position, entry) != bytes(seal.chain):
            return report.fail("entry_changed", seal.position, seal.entry_id)
        chain = bytes(seal.chain)
        if anchors.get(seal.position, chain.hex()) != chain.hex():
            return report.fail("anchor_mismatch", seal.position, seal.entry_id)
        report.intact_up_to = seal.position
        if latest is not None and entry.at < latest - CLOCK_SLACK:
            report.clock_went_back.append(seal.position)
        latest = entry.at
    return None


def _sealed_entries() -> Iterator[tuple[AuditSeal, AuditEntry | None]]:
    after = 0
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
