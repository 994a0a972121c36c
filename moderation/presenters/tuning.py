"""What recalls say of a half-life: the back-test of a new one, a week of the old."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory_core.actions import backtests
from memory_core.contracts.categories import Settings, Sighting, Verdict
from memory_core.contracts.enums import JobState
from memory_core.models import Category, Job, Namespace
from memory_core.tuning import verdict as judging
from memory_core.tuning.backtest import Sums


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure of a back-test, as things are and as proposed."""

    name: str | Promise
    now: str
    then: str
    definition: str | Promise


@dataclass(frozen=True, slots=True)
class Backtest:
    """A back-test of the values in the form: its job and what it found so far."""

    job: Job
    is_open: bool
    queries: int
    changed: int
    overlap: str
    measures: list[Measure]


@dataclass(frozen=True, slots=True)
class Week:
    """What the recalls of seven days say, with the memories that say it."""

    found: Verdict
    headline: str
    css: str
    falling: list[Sighting]
    idle: list[Sighting]


def backtest(
    category: Category, settings: Settings, namespace: Namespace | None
) -> Backtest | None:
    """Return the latest back-test of these values, None if there was none."""
    job = backtests.latest(category, settings, namespace)
    if job is None:
        return None
    sums = Sums(**job.counts)
    return Backtest(
        job=job,
        is_open=job.state in (JobState.QUEUED, JobState.RUNNING),
        queries=sums.queries,
        changed=sums.changed,
        overlap=_share(sums.overlap, sums.queries),
        measures=_measures(sums),
    )


HIT_RATE = gettext_lazy("Hit rate")
PRECISION = gettext_lazy("Precision of judged memories")
LATENCY = gettext_lazy("Time of a query")


def _measures(sums: Sums) -> list[Measure]:
    return [
        Measure(
            HIT_RATE,
            _share(sums.hits_now, sums.wanted),
            _share(sums.hits_then, sums.wanted),
            gettext_lazy(
                "Of the queries of which something was used, those that find it."
            ),
        ),
        Measure(
            PRECISION,
            _share(sums.good_now, sums.told_now),
            _share(sums.good_then, sums.told_then),
            gettext_lazy("Of the returned memories that agents judged, the useful."),
        ),
        Measure(
            LATENCY,
            _milliseconds(sums.seconds_now, sums.queries),
            _milliseconds(sums.seconds_then, sums.queries),
            gettext_lazy("On average, in the background."),
        ),
    ]


def week(category: Category, namespace: Namespace | None, *, now: datetime) -> Week:
    """Return what the last seven days say of the half-life in force."""
    found = judging.verdict(category, now=now, namespace=namespace)
    headline, css = _headline(found)
    return Week(
        found=found,
        headline=headline,
        css=css,
        falling=judging.falling(category, now=now, namespace=namespace)
        if found.falling
        else [],
        idle=judging.idle(category, now=now, namespace=namespace) if found.idle else [],
    )


def _headline(found: Verdict) -> tuple[str, str]:
    if not found.is_known:
        return _("too few recalls to tell"), ""
    if found.is_too_short and found.is_too_long:
        return _("too short for some, too long for others"), "warn"
    if found.is_too_short:
        return _("too short"), "warn"
    if found.is_too_long:
        return _("too long"), "warn"
    return _("fits"), "good"


def _share(part: float, whole: float) -> str:
    return f"{part / whole * 100:.1f} %" if whole else "–"


def _milliseconds(seconds: float, queries: int) -> str:
    return f"{seconds / queries * 1000:.0f} ms" if queries else "–"
