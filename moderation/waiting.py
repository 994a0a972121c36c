"""Which memories wait for people: the views of the queue, and what narrows them."""

from dataclasses import asdict, dataclass
from datetime import datetime
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Q, QuerySet

from memory_core.actions import agreement
from memory_core.models import Memory
from memory_core.saving.reviewing import sample_of_agents_decisions
from moderation.models import ReviewCase, ReviewSnooze

VIEWS = (
    "held",
    "reported",
    "unreviewed",
    "by_agents",
    "mine",
    "second",
    "snoozed",
    "escalated",
)


@dataclass(frozen=True, slots=True)
class Chosen:
    """A view of the queue with its filters.

    `source` is a row id (0: any), `reason` the first code for which a memory waits,
    `words` the digest of a folded text in hexadecimal: memories that say the same.
    """

    view: str = "held"
    namespace: str = ""
    kind: str = ""
    source: int = 0
    reason: str = ""
    words: str = ""

    def query(self) -> dict[str, str]:
        """Return it as parameters of an address, without what is empty."""
        return {name: str(value) for name, value in asdict(self).items() if value}

    def address(self) -> str:
        """Return the part of an address after its question mark."""
        return urlencode(self.query())


def rows_of(
    chosen: Chosen, *, user_id: int, now: datetime, as_of: datetime | None = None
) -> QuerySet[Memory]:
    """Return what is chosen, of any age, or untouched since `as_of`."""
    rows = in_view(chosen.view, user_id=user_id, now=now)
    if chosen.namespace:
        rows = rows.filter(namespace__name=chosen.namespace)
    if chosen.kind:
        rows = rows.filter(source__kind=chosen.kind)
    if chosen.source:
        rows = rows.filter(source_id=chosen.source)
    if chosen.reason:
        rows = rows.filter(decision__reasons__0=chosen.reason)
    if chosen.words:
        rows = rows.filter(text_key=bytes.fromhex(chosen.words))
    if as_of:
        rows = rows.filter(created_at__lte=as_of, updated_at__lte=as_of)
    return rows


def in_view(view: str, *, user_id: int, now: datetime) -> QuerySet[Memory]:
    """Return the memories of one of VIEWS."""
    if view == "unreviewed":
        return Memory.unscoped.unreviewed()
    if view == "reported":
        return Memory.unscoped.reported()
    if view == "by_agents":
        return sample_of_agents_decisions(Memory.unscoped.all(), now=now)
    if view == "second":
        return agreement.waiting_for_second(Memory.unscoped.all())
    undecided = Memory.unscoped.filter(status__in=agreement.UNDECIDED)
    if view == "mine":
        mine = ReviewCase.objects.filter(claimed_by_id=user_id, claimed_until__gt=now)
        return undecided.filter(pk__in=mine.values("memory_id"))
    disputed = agreement.disputed()
    if view == "escalated":
        return undecided.filter(Q(pk__in=handed_on()) | Q(pk__in=disputed))
    rows = Memory.unscoped.pending()
    snoozes = ReviewSnooze.objects.filter(user_id=user_id, until__gt=now)
    snoozed = snoozes.values("case__memory_id")
    if view == "snoozed":
        return rows.filter(pk__in=snoozed)
    ours = rows.exclude(pk__in=handed_on()).exclude(pk__in=disputed)
    return ours.exclude(pk__in=snoozed)


def handed_on() -> QuerySet[ReviewCase, UUID]:
    """Return the ids of the memories that a reviewer has handed on to a lead."""
    cases = ReviewCase.objects.filter(state=ReviewCase.State.ESCALATED)
    return cases.values_list("memory_id", flat=True)


def next_after(
    memory_id: UUID, *, user_id: int, who: str, now: datetime
) -> UUID | None:
    """Return the next held memory that is free for this person.

    Not one that they would let in already. Begins anew at the end of the queue.
    """
    rows = in_view("held", user_id=user_id, now=now).exclude(pk=memory_id)
    rows = agreement.not_first(rows, who)
    theirs = _theirs(user_id=user_id, now=now)
    free = rows.exclude(pk__in=theirs.values("memory_id")).order_by("pk")
    ids = free.values_list("pk", flat=True)
    return ids.filter(pk__gt=memory_id).first() or ids.first()


def with_others(
    rows: QuerySet[Memory], *, user_id: int, now: datetime
) -> QuerySet[Memory]:
    """Return those of the rows that somebody else is reviewing now."""
    theirs = _theirs(user_id=user_id, now=now)
    return rows.filter(pk__in=theirs.values("memory_id"))


def _theirs(*, user_id: int, now: datetime) -> QuerySet[ReviewCase]:
    theirs = ReviewCase.objects.filter(claimed_until__gt=now)
    return theirs.exclude(claimed_by_id=user_id)
