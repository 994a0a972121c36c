"""Who wrote and how old is what a half-life would drop."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from memory_core.actions.categories import settings_of
from memory_core.contracts.categories import Settings
from memory_core.models import Category, Namespace
from memory_core.tuning import spread as spreading
from memory_core.tuning.spread import DAYS, AgeBand, SourceShare
from moderation.presenters.charts import BOTTOM, HEIGHT, Bar, Chart, Frame, Tick
from moderation.presenters.durations import in_words

HALF_LIVES = 3
"""The curve above the bars reaches so far; both share their scale."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The ages as bars, the median age in words, and a row for each source."""

    ages: Chart
    median: str
    older: int
    days: tuple[int, ...]
    rows: list[tuple[SourceShare, list[int]]]


def spread(
    category: Category,
    proposed: Settings,
    *,
    now: datetime,
    namespace: Namespace | None = None,
) -> Spread:
    """Return what a change would touch, by age and by source."""
    current = settings_of(category, namespace)
    days = HALF_LIVES * max(current.half_life, proposed.half_life)
    found = spreading.spread(
        category, current, proposed, days=days, now=now, namespace=namespace
    )
    return Spread(
        ages=_chart(found.bands, days),
        median="" if found.median_days is None else in_words(found.median_days),
        older=found.older.stay + found.older.drop,
        days=DAYS,
        rows=[(one, [one.below_then[day] for day in DAYS]) for one in found.sources],
    )


def _chart(bands: list[AgeBand], days: float) -> Chart:
    top = max([1, *(band.stay + band.drop for band in bands)])
    frame = Frame(days, top)
    return Chart(
        title=_("Memories by their age in days"),
        lines=[],
        x_ticks=[
            Tick(frame.x(days * part / 4), f"{days * part / 4:.3g}")
            for part in range(5)
        ],
        y_ticks=[Tick(frame.y(0), "0"), Tick(frame.y(top), str(top))],
        threshold=None,
        bars=[bar for band in bands for bar in _bars(frame, band)],
        bottom=HEIGHT - BOTTOM,
        heads=(_("Age"), _("stay"), _("drop at once")),
        rows=[
            (_ages(band), str(band.stay), str(band.drop))
            for band in bands
            if band.stay or band.drop
        ],
    )


def _bars(frame: Frame, band: AgeBand) -> list[Bar]:
    """Return the bar of what stays, and on it the one of what drops."""
    parts = [
        (0, band.stay, _("stay"), "bar"),
        (band.stay, band.drop, _("drop at once"), "bar drop"),
    ]
    x, room = frame.x(band.since), frame.x(band.until) - frame.x(band.since)
    return [
        Bar(
            x=round(x + room * 0.08, 1),
            y=frame.y(low + count),
            width=round(room * 0.84, 1),
            height=round(frame.y(low) - frame.y(low + count), 1),
            label=f"{_ages(band)}: {count} {name}",
            css=css,
        )
        for low, count, name, css in parts
        if count
    ]


def _ages(band: AgeBand) -> str:
    return f"{in_words(band.since)} – {in_words(band.until)}"
