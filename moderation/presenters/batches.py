"""A selection before it is decided, and what became of a batch."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from memory_core.contracts.enums import SourceKind
from memory_core.models import Job, Memory
from moderation.presenters.courses import Course, course_of
from moderation.presenters.names import named
from moderation.presenters.refusals import ERRORS, WHY
from moderation.waiting import Chosen, rows_of, with_others

SAMPLE = 10

OUTCOMES: dict[str, str | Promise] = {
    "": _("waits"),
    "done": _("done"),
    "half": _("a second person must agree"),
    "theirs": _("somebody was first"),
}


@dataclass(frozen=True, slots=True)
class Selection:
    """What is chosen at a moment, with what will be passed over."""

    chosen: Chosen
    as_of: datetime
    number: int
    categories: list[tuple[str, int]]
    sources: list[tuple[str, int]]
    with_others: int
    blocked: int
    sample: list[Memory]


def selection(*, chosen: Chosen, user_id: int, now: datetime) -> Selection:
    """Return what the filters choose now, counted and sampled."""
    rows = rows_of(chosen, user_id=user_id, now=now, as_of=now)
    by_category = rows.values_list("category__name").annotate(n=Count("pk"))
    by_source = rows.values_list("source__kind", "source__name").annotate(n=Count("pk"))
    categories = [(str(named(name, "category")), n) for name, n in by_category]
    return Selection(
        chosen=chosen,
        as_of=now,
        number=sum(n for _name, n in categories),
        categories=sorted(categories, key=lambda one: -one[1]),
        sources=_sources(sorted(by_source, key=lambda one: -one[2])),
        with_others=with_others(rows, user_id=user_id, now=now).count(),
        blocked=rows.filter(source__blocked_at__isnull=False).count(),
        sample=list(rows.select_related("category").order_by("pk")[:SAMPLE]),
    )


def batch(job: Job) -> Course:
    """Return how a bulk decision goes, what could not be decided first."""
    return course_of(
        job,
        named(job.params["verb"], "batchverb"),
        odd=~Q(outcome__in=("", "done", "half")),
        outcome=outcome_name,
        count=outcome_name,
    )


def outcome_name(code: str) -> str:
    """Return what people call the outcome of an item."""
    return str(OUTCOMES.get(code) or WHY.get(code) or ERRORS.get(code, code))


def _sources(found: Sequence[tuple[str, str, int]]) -> list[tuple[str, int]]:
    """Return the ten sources with the most memories, the others as one."""
    shown = [(f"{SourceKind(kind).label} {name}", n) for kind, name, n in found[:10]]
    if rest := sum(n for _kind, _name, n in found[10:]):
        shown.append((str(_("others")), rest))
    return shown
