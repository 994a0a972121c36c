"""The effect of a half-life, seen before it is saved."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import log2

from django.utils.translation import gettext as _

from memory_core.actions.categories import settings_of
from memory_core.contracts.categories import Effect, Example, Settings
from memory_core.models import Category, CategoryVersion, Namespace
from memory_core.scoring import Policy, Strength, live_score
from memory_core.tuning.outlook import outlook
from moderation.dropping import dropped_share, most_generous
from moderation.models.category_change import MUCH
from moderation.presenters.charts import Chart, days_chart
from moderation.presenters.durations import in_words

START = 0.6  # what a user's own statement starts with
STEPS = 60


@dataclass(frozen=True, slots=True)
class Counted:
    """What would fall below the threshold, by days from now, with examples of a day.

    `share` drops at once together with what the other changes of the week dropped.
    """

    effect: Effect
    rows: list[tuple[int, int, int]]
    example_day: int
    drops: list[Example]
    stays: list[Example]
    share: float
    needs_second: bool


@dataclass(frozen=True, slots=True)
class Preview:
    """Both curves, a sentence, and what is counted unless that is left for later."""

    chart: Chart
    sentence: str
    counted: Counted | None


def preview(
    category: Category,
    proposed: Settings,
    *,
    now: datetime,
    namespace: Namespace | None = None,
    counts: bool = True,
) -> Preview:
    """Return what a change would look like; without `counts` nothing is counted."""
    current = settings_of(category, namespace)
    return Preview(
        chart=_chart(current, proposed, now),
        sentence=_sentence(proposed),
        counted=_counted(category, proposed, now, namespace) if counts else None,
    )


def _counted(
    category: Category, proposed: Settings, now: datetime, namespace: Namespace | None
) -> Counted:
    current = settings_of(category, namespace)
    found = outlook(category, current, proposed, now=now, namespace=namespace)
    effect = found.effect
    share = effect.falling_share
    if most_generous(category, namespace, now=now) != current:
        share = dropped_share(category, proposed, now=now, namespace=namespace)
    return Counted(
        effect=effect,
        rows=[
            (day, effect.below_now[day], effect.below_then[day])
            for day in effect.below_now
        ],
        example_day=found.day,
        drops=found.drops,
        stays=found.stays,
        share=share,
        needs_second=share > MUCH,
    )


def changes(versions: Sequence[CategoryVersion]) -> list[tuple[CategoryVersion, str]]:
    """Return each version (newest first) with what it changed of the one before."""
    found = []
    for at, version in enumerate(versions):
        earlier = (
            one
            for one in versions[at + 1 :]
            if one.namespace_id == version.namespace_id
        )
        before = next(earlier, None)
        found.append((version, _change(before, version)))
    return found


def _change(before: CategoryVersion | None, after: CategoryVersion) -> str:
    names = {
        "half_life": _("half-life"),
        "floor": _("floor"),
        "bonus_cap": _("most that recalls add"),
        "archive_below": _("threshold"),
    }
    old = before.values if before else {}
    parts = [
        f"{name} {_number(key, old[key])} → {_number(key, after.values[key])}"
        if key in old
        else f"{name} {_number(key, after.values[key])}"
        for key, name in names.items()
        if old.get(key) != after.values[key]
    ]
    return " · ".join(parts) or _("nothing")


def _number(key: str, value: float) -> str:
    return in_words(value) if key == "half_life" else f"{value:.2f}"


def _curve(settings: Settings, days: float, now: datetime) -> list[tuple[float, float]]:
    policy, strength = _policy(settings), Strength(START, now)
    steps = (days * step / STEPS for step in range(STEPS + 1))
    return [
        (day, live_score(strength, policy, now=now + timedelta(days=day)))
        for day in steps
    ]


def _chart(current: Settings, proposed: Settings, now: datetime) -> Chart:
    days = 3 * max(current.half_life, proposed.half_life)
    before, after = _curve(current, days, now), _curve(proposed, days, now)
    crossing = crosses(proposed)
    return days_chart(
        _("Score of a user's statement over the days"),
        [(_("now"), "now", before), (_("proposed"), "proposed", after)],
        days=days,
        threshold=proposed.archive_below,
        crossings=[] if crossing is None else [(crossing, in_words(crossing))],
        heads=(_("Age"), _("now"), _("proposed")),
        rows=[
            (in_words(one[0]), f"{one[1]:.2f}", f"{two[1]:.2f}")
            for one, two in list(zip(before, after, strict=True))[:: STEPS // 6]
        ],
    )


def crosses(settings: Settings) -> float | None:
    """Return after how many days a user's statement falls below, None for never."""
    if settings.floor >= settings.archive_below:
        return None
    return max(0.0, settings.half_life * log2(START / settings.archive_below))


def _sentence(settings: Settings) -> str:
    crossing = crosses(settings)
    halves = _("Half of the score is left after %(half)s, a quarter after %(quarter)s")
    said = halves % {
        "half": in_words(settings.half_life),
        "quarter": in_words(2 * settings.half_life),
    }
    if crossing is None:
        end = _(
            "a user's statement that nobody recalls never falls below the threshold."
        )
    elif crossing == 0:
        end = _("a user's statement lies below the threshold from the start.")
    else:
        end = _(
            "a user's statement that nobody recalls falls below the threshold after"
            " %(time)s."
        ) % {"time": in_words(crossing)}
    return _("%(halves)s; %(end)s") % {"halves": said, "end": end}


def _policy(settings: Settings) -> Policy:
    return Policy(
        settings.half_life, settings.floor, settings.bonus_cap, settings.archive_below
    )
