"""Sources with their record."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Count, QuerySet
from django.utils.translation import gettext_lazy as _

from memory_core.contracts.enums import Status
from memory_core.exceptions import SourceBlocked
from memory_core.models import AuditEntry, Memory, Source
from moderation.presenters.charts import Chart, bars_chart

PAGE, DAYS = 50, 30


@dataclass(frozen=True, slots=True)
class Row:
    """A source and how many memories it wrote, by what became of them."""

    source: Source
    written: int
    active: int
    held: int
    rejected: int


@dataclass(frozen=True, slots=True)
class Listed:
    """One page of sources by id; `after` leads to the next."""

    rows: Sequence[Row]
    after: int | None


def listed(*, namespace: str = "", state: str = "", after: int = 0) -> Listed:
    """Return a page of sources with counts of what they wrote.

    `state` is `blocked`, `trusted` or empty.
    """
    rows = _rows(namespace, state).filter(pk__gt=after).order_by("pk")
    found = list(rows.select_related("namespace")[: PAGE + 1])
    shown = found[:PAGE]
    counts = _counts([source.pk for source in shown])
    return Listed(
        [_row(source, counts[source.pk]) for source in shown],
        shown[-1].pk if len(found) > PAGE else None,
    )


def _row(source: Source, by_status: Counter[int]) -> Row:
    return Row(
        source=source,
        written=by_status.total(),
        active=by_status[Status.ACTIVE],
        held=by_status[Status.PENDING],
        rejected=by_status[Status.REJECTED],
    )


def _counts(sources: Sequence[int]) -> dict[int, Counter[int]]:
    """Return each source's memories by status, counted in an index alone."""
    counts: dict[int, Counter[int]] = {pk: Counter() for pk in sources}
    written = Memory.unscoped.filter(source_id__in=sources)
    found = written.values_list("source_id", "status").annotate(number=Count("pk"))
    for source, status, number in found.order_by():
        counts[source][status] = number
    return counts


def refused_writes(source: Source, *, now: datetime) -> Chart | None:
    """Return the refused writes of the last 30 days by day, None if there are none."""
    first = now.date() - timedelta(days=DAYS - 1)
    refused = AuditEntry.objects.filter(
        action__in=("memory.save", "memory.import"),
        outcome="refused",
        at__date__gte=first,
        at__gte=now - timedelta(days=DAYS),
        details__sources__contains=[source.pk],
    )
    counts: Counter[date] = Counter()
    for at, codes in refused.values_list("at", "details__codes"):
        counts[at.date()] += (codes or {}).get(SourceBlocked.code, 1)
    if not counts:
        return None
    days = [first + timedelta(days=at) for at in range(DAYS)]
    values = [counts[day] for day in days]
    return bars_chart(
        str(_("Refused writes by day")),
        values,
        labels=[f"{day:%m-%d}" for day in days],
        rows=[(f"{day:%Y-%m-%d}", str(counts[day])) for day in days],
    )


def _rows(namespace: str, state: str) -> QuerySet[Source]:
    rows = Source.objects.all()
    if namespace:
        rows = rows.filter(namespace__name=namespace)
    if state == "blocked":
        rows = rows.filter(blocked_at__isnull=False)
    if state == "trusted":
        rows = rows.filter(trust="trusted")
    return rows
