"""Until when a request must be answered: calendar arithmetic, no clock is read.

A period counted in months ends with the day of the same number, or the last day of a
shorter month (Regulation 1182/71, Art. 3(2)(c)); a period that ends on a Saturday, a
Sunday or a holiday ends with the next working day (Art. 3(4)). The day of receipt is
not counted (Art. 3(1)). A month is not 30 days: what came on 10 February is due on
10 March, 28 days later.
"""

from calendar import monthrange
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

SATURDAY = 5
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Period:
    """A length of time: so many months, days or working days."""

    number: int
    unit: Literal["months", "days", "working_days"]


@dataclass(frozen=True, slots=True)
class Pause:
    """Days on which the clock stood still, the first and the last one included."""

    first: date
    last: date


def due(
    received: date,
    period: Period,
    *,
    extension: Period | None = None,
    pauses: Iterable[Pause] = (),
    holidays: Collection[date] = (),
) -> date:
    """Return the last day for the answer to what was received on a day.

    The extension runs on from the end of the period as it would be without pauses;
    days on which the clock stood still are added, each once; then the end moves off
    weekends and holidays.
    """
    end = after(received, period, holidays)
    if extension:
        end = after(end, extension, holidays)
    return next_working_day(end + DAY * stood_still(pauses), holidays)


def after(start: date, period: Period, holidays: Collection[date] = ()) -> date:
    """Return the day on which a period from `start` ends, not moved off weekends."""
    if period.unit == "months":
        return add_months(start, period.number)
    if period.unit == "days":
        return start + DAY * period.number
    end = start
    for _ in range(period.number):
        end = next_working_day(end + DAY, holidays)
    return end


def add_months(start: date, months: int) -> date:
    """Return the same day of a later month, or the last day of a shorter one."""
    years, month = divmod(start.month - 1 + months, 12)
    year, month = start.year + years, month + 1
    return date(year, month, min(start.day, monthrange(year, month)[1]))


def next_working_day(day: date, holidays: Collection[date] = ()) -> date:
    """Return the day itself, or the first one after it that is worked on."""
    while day.weekday() >= SATURDAY or day in holidays:
        day += DAY
    return day


def stood_still(pauses: Iterable[Pause]) -> int:
    """Return on how many days the clock stood still; a shared day counts once."""
    number, counted = 0, date.min
    for pause in sorted(pauses, key=lambda one: one.first):
        first = max(pause.first, counted + DAY)
        if pause.last >= first:
            number += (pause.last - first).days + 1
            counted = pause.last
    return number
