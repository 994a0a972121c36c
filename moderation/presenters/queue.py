"""The review queue as plain values."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count

from memory_core.actions import agreement
from memory_core.models import FirstApproval, Memory
from moderation.models import ReviewCase, ReviewNote
from moderation.waiting import Chosen, in_view, rows_of

PAGE = 50


@dataclass(frozen=True, slots=True)
class Row:
    """One memory that waits, and its case if somebody has touched it.

    `alike` is how many wait that say the same, itself included; `note` what a reviewer
    wrote who handed it on; `first` who would let it in where two must agree.
    """

    memory: Memory
    case: ReviewCase | None
    reasons: tuple[str, ...]
    alike: int
    note: ReviewNote | None
    first: FirstApproval | None

    @property
    def words(self) -> str:
        """The value of the filter that shows those which say the same."""
        return bytes(self.memory.text_key).hex()


@dataclass(frozen=True, slots=True)
class Taken:
    """Everything that waits is under review by others: who, how long at least."""

    number: int
    names: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Queue:
    """One page of the queue, the oldest first; `after` leads to the next one.

    Of an empty page: `hidden` says whether the view has memories that the filters leave
    out, `last` is the latest decision. `taken` is set if nothing is free.
    """

    chosen: Chosen
    rows: list[Row]
    after: UUID | None
    hidden: bool = False
    last: ReviewCase | None = None
    taken: Taken | None = None


def page(
    *,
    chosen: Chosen,
    user_id: int,
    now: datetime,
    after: UUID | None = None,
) -> Queue:
    """Return a page of what is chosen, by keyset, the last as fast as the first."""
    rows = rows_of(chosen, user_id=user_id, now=now)
    if after:
        rows = rows.filter(pk__gt=after)
    found = list(
        rows.select_related("source", "category", "namespace", "owner").order_by("pk")[
            : PAGE + 1
        ]
    )
    cases = {
        case.memory_id: case
        for case in ReviewCase.objects.select_related("claimed_by").filter(
            memory_id__in=[memory.pk for memory in found]
        )
    }
    shown = found[:PAGE]
    if not shown:
        return _empty(chosen, user_id=user_id, now=now)
    listed = _listed(shown, cases, with_notes=chosen.view == "escalated")
    is_all = after is None and len(found) <= PAGE
    return Queue(
        chosen=chosen,
        rows=listed,
        after=shown[-1].pk if len(found) > PAGE else None,
        taken=_taken(listed, user_id, now) if is_all else None,
    )


def _listed(
    shown: list[Memory], cases: dict[UUID, ReviewCase], *, with_notes: bool
) -> list[Row]:
    alike, firsts = _alike(shown), agreement.all_standing(shown)
    notes = _notes(cases) if with_notes else {}
    return [
        Row(
            memory=one,
            case=cases.get(one.pk),
            reasons=reasons_of(one),
            alike=alike.get(bytes(one.text_key), 1),
            note=notes.get(one.pk),
            first=firsts.get(one.pk),
        )
        for one in shown
    ]


def _alike(shown: list[Memory]) -> dict[bytes, int]:
    """Return how many that wait say the same, by the digest of their words."""
    words = {bytes(one.text_key) for one in shown}
    rows = Memory.unscoped.pending().filter(text_key__in=words)
    counts = rows.values("text_key").annotate(number=Count("*")).order_by()
    return {bytes(one["text_key"]): one["number"] for one in counts}


def _notes(cases: dict[UUID, ReviewCase]) -> dict[UUID, ReviewNote]:
    """Return the latest note of each case."""
    rows = ReviewNote.objects.filter(case__in=cases.values()).select_related("case")
    return {one.case.memory_id: one for one in rows.order_by("pk")}


def _taken(rows: list[Row], user_id: int, now: datetime) -> Taken | None:
    people, ends = [], []
    for row in rows:
        end = row.case.claimed_until if row.case else None
        person = row.case.claimed_by if row.case else None
        if person is None or end is None or end <= now or person.pk == user_id:
            return None
        people.append(person.get_username())
        ends.append(end)
    return Taken(len(rows), ", ".join(sorted(set(people))), min(ends))


def _empty(chosen: Chosen, *, user_id: int, now: datetime) -> Queue:
    everything = in_view(chosen.view, user_id=user_id, now=now)
    decided = ReviewCase.objects.filter(decided_at__isnull=False)
    hidden = chosen != Chosen(view=chosen.view) and everything.exists()
    return Queue(chosen, [], None, hidden, decided.order_by("-decided_at").first())


def reasons_of(memory: Memory) -> tuple[str, ...]:
    """Return the codes for which a memory waits: rules, conflicts, policy."""
    signals = memory.verdict.get("signals", [])
    rules = [one["rule"] for one in signals if one.get("outcome") != "allow"]
    held = memory.decision.get("reasons", [])
    plain = [one.removeprefix("screening:") for one in held]
    return tuple(dict.fromkeys([*plain, *rules]))
