"""One memory that waits, with everything a decision needs."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Q

from memory_core.actions import agreement
from memory_core.contracts.enums import Status
from memory_core.contracts.trust import TrustRank
from memory_core.models import FirstApproval, Memory, Source
from moderation.models import ReviewCase, ReviewNote
from moderation.presenters.difference import difference
from moderation.presenters.history import Step, history_of
from moderation.presenters.neighbours import neighbours_of
from moderation.presenters.queue import reasons_of

ESCALATED = ReviewCase.State.ESCALATED


@dataclass(frozen=True, slots=True)
class Signal:
    """One reason of the screening, as a row: rule, value against threshold, where."""

    rule: str
    value: float
    threshold: float
    outcome: str
    field: str


@dataclass(frozen=True, slots=True)
class Record:
    """What came of a source's memories so far."""

    written: int
    approved: int
    rejected: int
    refused: int


@dataclass(frozen=True, slots=True)
class Conflict:
    """A memory that this one contradicts, with the difference as marked pieces."""

    memory: Memory
    pieces: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Item:
    """A memory under review."""

    memory: Memory
    case: ReviewCase | None
    first: FirstApproval | None
    notes: list[ReviewNote]
    history: list[Step]
    reasons: tuple[str, ...]
    signals: list[Signal]
    record: Record
    conflicts: list[Conflict]
    neighbours: list[Memory]
    parents: list[Memory]
    trust: str

    @property
    def is_for_leads(self) -> bool:
        """Whether it was handed on, or two reviewers disagree about it."""
        is_handed_on = self.case is not None and self.case.state == ESCALATED
        return is_handed_on or (self.first is not None and self.first.is_disputed)


def look(memory: Memory) -> Item:
    """Return the item of a memory."""
    case = ReviewCase.objects.filter(memory_id=memory.pk).first()
    return Item(
        memory=memory,
        case=case,
        first=agreement.standing(memory),
        notes=list(case.notes.order_by("pk")) if case else [],
        history=history_of(memory.pk),
        reasons=reasons_of(memory),
        signals=[_signal(one) for one in memory.verdict.get("signals", [])],
        record=record_of(memory.source),
        conflicts=_conflicts(memory),
        neighbours=neighbours_of(memory),
        parents=list(
            Memory.unscoped.filter(pk__in=memory.derived_from).select_related("source")
        ),
        trust=TrustRank(memory.lineage_trust).name.lower(),
    )


def record_of(source: Source) -> Record:
    """Return how a source has done."""
    counts = Memory.unscoped.filter(source=source).aggregate(
        written=Count("pk"),
        approved=Count("pk", filter=Q(status=Status.ACTIVE, reviewed_at__isnull=False)),
        rejected=Count("pk", filter=Q(status=Status.REJECTED)),
    )
    return Record(**counts, refused=source.refused_writes)


def _signal(stored: dict[str, object]) -> Signal:
    return Signal(
        rule=str(stored.get("rule", "")),
        value=float(str(stored.get("value", 0))),
        threshold=float(str(stored.get("threshold", 0))),
        outcome=str(stored.get("outcome", "")),
        field=str(stored.get("field", "")),
    )


def _conflicts(memory: Memory) -> list[Conflict]:
    ids = [UUID(one) for one in memory.decision.get("contradicts", [])]
    others = Memory.unscoped.filter(pk__in=ids).select_related("source")
    return [Conflict(one, difference(one.content, memory.content)) for one in others]
