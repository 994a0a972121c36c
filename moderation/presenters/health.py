"""How well the memory does: figures with their definitions, over a period."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Min
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory_core.contracts.enums import EmbeddingState, JobState
from memory_core.models import Job, Memory
from moderation.presenters.charts import Chart, bars_chart
from moderation.presenters.counting import ALL, Event, Numbers, events, numbers
from moderation.presenters.durations import in_words
from moderation.presenters.figures import DEFINITIONS, GROUPS, NAMES
from moderation.presenters.latency import Latency, latencies
from moderation.presenters.measures import MEASURES, Narrowing, Unit

HOURS_A_DAY = 24


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: its value as text, what it means, the one before it, a chart.

    `is_of_all` says that it cannot be narrowed as was asked.
    """

    key: str
    name: str | Promise
    value: str
    before: str
    change: str
    definition: str | Promise
    chart: Chart
    is_of_all: bool


@dataclass(frozen=True, slots=True)
class Behind:
    """One event behind a figure; `side` says whether it counts for a share."""

    event: Event
    side: str
    amount: str


@dataclass(frozen=True, slots=True)
class Group:
    name: str | Promise
    figures: list[Figure]


def groups(*, days: int, now: datetime, narrowing: Narrowing = ALL) -> list[Group]:
    """Return all figures of the last `days`, beside those of the period before."""
    found = _figures(MEASURES, days, now, narrowing)
    return [Group(name, [found[key] for key in keys]) for name, keys in GROUPS]


def figure(key: str, *, days: int, now: datetime, narrowing: Narrowing = ALL) -> Figure:
    """Return one figure of the last `days`."""
    return _figures([key], days, now, narrowing)[key]


def state_of_queues(*, now: datetime) -> list[tuple[str | Promise, str]]:
    """Return what waits in the background at this moment."""
    jobs = Job.objects.filter(state=JobState.QUEUED)
    queued = Memory.unscoped.filter(embedding=EmbeddingState.QUEUED)
    held = Memory.unscoped.pending()
    return [
        (gettext_lazy("Memories that wait for a vector"), str(queued.count())),
        (gettext_lazy("Oldest of them"), _age(queued, now)),
        (gettext_lazy("Memories held for review"), str(held.count())),
        (gettext_lazy("Oldest of these"), _age(held, now)),
        (gettext_lazy("Age of the oldest queued job"), _age(jobs, now)),
    ]


def behind(
    key: str, *, days: int, now: datetime, narrowing: Narrowing = ALL
) -> Sequence[Behind]:
    """Return the latest events behind a figure of the last `days`."""
    unit = MEASURES[key].unit
    since = now - timedelta(days=days)
    rows = events(key, since=since, until=now, narrowing=narrowing)
    return [Behind(row, _side(row, unit), _amount(row, unit)) for row in rows]


def answer_times() -> list[Latency]:
    """Return how long agents wait for an answer, since the service was started."""
    return latencies()


def as_text(value: float | None, unit: Unit) -> str:
    """Return a number as people read it, a dash where there was nothing to count."""
    if value is None:
        return "0" if unit in (Unit.COUNT, Unit.SUM) else "–"
    if unit is Unit.SHARE:
        return f"{value * 100:.0f} %"
    if unit is Unit.MEDIAN:
        return in_words(value / HOURS_A_DAY)
    return f"{value:+.0f}" if unit is Unit.SUM else f"{value:.0f}"


def _side(row: Event, unit: Unit) -> str:
    if unit is not Unit.SHARE:
        return ""
    return _("counts") if row.good else _("does not count")


def _amount(row: Event, unit: Unit) -> str:
    if row.amount is None or unit not in (Unit.SUM, Unit.MEDIAN):
        return ""
    return as_text(row.amount, unit)


def _figures(
    keys: Iterable[str], days: int, now: datetime, narrowing: Narrowing
) -> dict[str, Figure]:
    period, step = timedelta(days=days), timedelta(days=1)
    if days == 1:
        step = timedelta(hours=1)
    found = numbers(keys, until=now, period=period, step=step, narrowing=narrowing)
    return {
        key: _figure(key, one, now - period, step, narrowing)
        for key, one in found.items()
    }


def _figure(
    key: str, found: Numbers, since: datetime, step: timedelta, narrowing: Narrowing
) -> Figure:
    unit = MEASURES[key].unit
    return Figure(
        key=key,
        name=NAMES[key],
        value=as_text(found.value, unit),
        before=as_text(found.before, unit),
        change=_change(found.before, found.value, unit),
        definition=DEFINITIONS[key],
        chart=_chart(str(NAMES[key]), found.drawn, unit, since, step),
        is_of_all=not MEASURES[key].takes(narrowing),
    )


def _change(before: float | None, value: float | None, unit: Unit) -> str:
    """Return in words by how much a figure moved, empty without two values."""
    if unit is Unit.COUNT:
        before, value = before or 0, value or 0
    if before is None or value is None or unit is Unit.MEDIAN:
        return ""
    by = (value - before) * (100 if unit is Unit.SHARE else 1)
    if abs(by) < 0.5:
        return _("as before")
    number = f"{abs(by):.0f}"
    if unit is Unit.SHARE:
        text = _("%(number)s points more") if by > 0 else _("%(number)s points less")
    else:
        text = _("%(number)s more") if by > 0 else _("%(number)s less")
    return text % {"number": number}


def _chart(
    name: str,
    drawn: Sequence[float | None],
    unit: Unit,
    since: datetime,
    step: timedelta,
) -> Chart:
    style = "H:i" if step < timedelta(days=1) else "m-d"
    labels = [
        date_format(timezone.localtime(since + at * step), style)
        for at in range(len(drawn))
    ]
    said = [as_text(value, unit) for value in drawn]
    top = 1.0 if unit is Unit.SHARE else None
    rows = list(zip(labels, said, strict=True))
    return bars_chart(name, drawn, labels=labels, rows=rows, top=top)


def _age(rows: object, now: datetime) -> str:
    oldest = rows.aggregate(oldest=Min("created_at"))["oldest"]  # type: ignore[attr-defined]
    return in_words((now - oldest) / timedelta(days=1)) if oldest else "–"
