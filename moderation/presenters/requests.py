"""Deletion requests as rows, with their deadline in words."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from moderation.deadlines import DAY, Period, due
from moderation.models import CaseState, ErasureCase
from moderation.regimes import INTERNAL, RULES

PAGE = 50
VIEWS = ("open", "overdue", "approval", "ageing", "closed")
SOON = DAY * 7


@dataclass(frozen=True, slots=True)
class Due:
    """A deadline in words; `tone` is the class of its tag: good, warn, bad or none."""

    words: str
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One request of the list; `found` counts what the search matched."""

    case: ErasureCase
    due: Due
    found: int | None
    held: int


@dataclass(frozen=True, slots=True)
class Listed:
    """One page of requests; `after` leads to the next one."""

    view: str
    rows: list[Row]
    after: UUID | None
    overdue: int


def listed(
    *,
    view: str,
    today: date,
    user_id: int,
    regime: str = "",
    state: str = "",
    after: UUID | None = None,
) -> Listed:
    """Return a page of a view: open ones by deadline, others the newest first."""
    view = view if view in VIEWS else VIEWS[0]
    rows = _rows(view, today, user_id)
    if regime:
        rows = rows.filter(regime=regime)
    if state:
        rows = rows.filter(state=state)
    found = list(_following(rows, view, after)[: PAGE + 1])
    shown = found[:PAGE]
    return Listed(
        view=view,
        rows=[_row(case, today) for case in shown],
        after=shown[-1].pk if len(found) > PAGE else None,
        overdue=late_requests(today).count(),
    )


def open_requests() -> QuerySet[ErasureCase]:
    """Return requests that are not closed or not answered; not those only ageing."""
    unfinished = ErasureCase.objects.filter(Q(closed_at=None) | Q(answered_on=None))
    return unfinished.exclude(state=CaseState.BACKUPS_AGING, answered_on__isnull=False)


def to_approve(user_id: int) -> QuerySet[ErasureCase]:
    """Return requests whose decision somebody else has proposed."""
    waiting = ErasureCase.objects.filter(state=CaseState.AWAITING_APPROVAL)
    return waiting.exclude(proposed_by_id=user_id)


def due_of(case: ErasureCase, today: date) -> Due:
    """Return until when an answer is due, or what became of it."""
    if case.answered_on:
        return Due(_("answered on %(day)s") % {"day": _short(case.answered_on)}, "good")
    if case.state == CaseState.IDENTITY_PENDING:
        return Due(_("clock stands still"))
    left, day = (case.due_on - today).days, _short(case.due_on)
    if left < 0:
        words = ngettext(
            "%(number)d day late, was due %(day)s",
            "%(number)d days late, was due %(day)s",
            -left,
        )
        return Due(words % {"number": -left, "day": day}, "bad")
    if left == 0:
        return Due(_("due today"), "bad")
    words = ngettext(
        "%(number)d day left, %(day)s", "%(number)d days left, %(day)s", left
    )
    tone = "warn" if case.due_on - today <= SOON else ""
    return Due(words % {"number": left, "day": day}, tone)


def aim_of(case: ErasureCase, holidays: Collection[date] = ()) -> date:
    """Return the day by which we ourselves want to have answered."""
    return due(case.received_on, INTERNAL, holidays=holidays)


def period_in_words(period: Period) -> str:
    """Return a period as people say it."""
    number = period.number
    words = {
        "months": ngettext("%(n)d month", "%(n)d months", number),
        "days": ngettext("%(n)d day", "%(n)d days", number),
        "working_days": ngettext("%(n)d working day", "%(n)d working days", number),
    }
    return words[period.unit] % {"n": number}


def law_of(case: ErasureCase) -> str:
    """Return the period that the case's law leaves."""
    return period_in_words(RULES[case.regime].period)


def _rows(view: str, today: date, user_id: int) -> QuerySet[ErasureCase]:
    rows = ErasureCase.objects.all()
    if view == "closed":
        return rows.filter(closed_at__isnull=False)
    if view == "ageing":
        return rows.filter(state=CaseState.BACKUPS_AGING)
    if view == "approval":
        return to_approve(user_id)
    return late_requests(today) if view == "overdue" else open_requests()


def late_requests(today: date) -> QuerySet[ErasureCase]:
    """Return requests whose answer is overdue."""
    late = ErasureCase.objects.filter(answered_on=None, due_on__lt=today)
    return late.exclude(state=CaseState.IDENTITY_PENDING)


def _following(
    rows: QuerySet[ErasureCase], view: str, after: UUID | None
) -> QuerySet[ErasureCase]:
    last = ErasureCase.objects.filter(pk=after).first() if after else None
    rows = rows.select_related("proposed_by", "approved_by")
    if view in ("closed", "ageing"):
        return (rows.filter(pk__lt=last.pk) if last else rows).order_by("-pk")
    if last:
        same_day = Q(due_on=last.due_on, pk__gt=last.pk)
        rows = rows.filter(Q(due_on__gt=last.due_on) | same_day)
    return rows.order_by("due_on", "pk")


def _row(case: ErasureCase, today: date) -> Row:
    stores = (case.preview or {}).get("stores")
    return Row(
        case=case,
        due=due_of(case, today),
        found=sum(one["matched"] for one in stores) if stores is not None else None,
        held=sum(one.get("keep", 0) for one in stores or ()),
    )


def _short(day: date) -> str:
    return date_format(day, "MONTH_DAY_FORMAT")
