"""Dates in text, written as terms: `5月2号`, `May 2nd` and `2023-05-02` are one."""

import re
from collections.abc import Iterator
from datetime import date, datetime
from typing import NamedTuple

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun",
            "july jul", "august aug", "september sept sep", "october oct",
            "november nov", "december dec",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
HAN_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")}
HAN_DIGITS["〇"] = 0

_MONTH = "(?P<{}>" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\b\.?"
_HAN = "[0-9]{1,2}|[一二三四五六七八九十]{1,3}"
_YEAR = r"(?P<{}>(?:19|20)[0-9]{{2}})"

PATTERN = re.compile(
    "|".join(
        (
            rf"(?<![0-9]){_YEAR.format('iso_y')}[-/.](?P<iso_m>[0-9]{{1,2}})"
            r"[-/.](?P<iso_d>[0-9]{1,2})(?![0-9])",
            r"(?:(?P<han_y>(?:19|20)[0-9]{2}|[一二〇零][九〇零][〇零一二三四五六七八九]{2})年)?"
            rf"(?P<han_m>{_HAN})月(?:(?P<han_d>{_HAN})(?:日|号)?)?",
            rf"\b{_MONTH.format('en_m')} {{0,2}}(?P<en_d>[0-9]{{1,2}})(?:st|nd|rd|th)?"
            rf"(?![0-9:])(?:,? {{0,2}}{_YEAR.format('en_y')})?",
            r"(?<![0-9])(?P<eu_d>[0-9]{1,2})(?:st|nd|rd|th)?(?: of)? "
            rf"{_MONTH.format('eu_m')}(?:,? {_YEAR.format('eu_y')})?",
            rf"\b{_MONTH.format('my_m')} {_YEAR.format('my_y')}",
            rf"\b(?:in|of|since|until|during|last|this|next) {_MONTH.format('in_m')}",
            r"(?<![0-9./])(?P<us_m>[0-9]{1,2})/(?P<us_d>[0-9]{1,2})"
            rf"(?:/{_YEAR.format('us_y')})?(?![0-9/%])",
        )
    )
)
"""Every alternative names its parts `<form>_y`, `<form>_m` and `<form>_d`."""


class Day(NamedTuple):
    """A date as far as it was said; 0 is an unknown part."""

    year: int
    month: int
    day: int

    def terms(self, *, with_month: bool) -> Iterator[str]:
        """Its terms. A memory of a day is found by the month, not the reverse."""
        if with_month or not self.day:
            yield f"@{self.month:02}"
        if self.day:
            yield f"@{self.month:02}-{self.day:02}"
        if self.day and self.year:
            yield f"@{self.year}-{self.month:02}-{self.day:02}"
        elif self.year:
            yield str(self.year)


def moment_terms(moment: datetime | date) -> list[str]:
    """Terms of the day on which something was said or happened."""
    day = Day(moment.year, moment.month, moment.day)
    return [str(moment.year), *day.terms(with_month=True)]


def take_dates(folded: str, *, with_month: bool) -> tuple[str, list[str]]:
    """(the text with its dates blanked out, their terms in order).

    `folded` is lower case already. What only looks like a date (13/45) stays.
    """
    found: list[str] = []

    def take(match: re.Match[str]) -> str:
        day = _read(match)
        if day is None:
            return match.group()
        found.extend(day.terms(with_month=with_month))
        return " "

    return PATTERN.sub(take, folded), found


def _read(match: re.Match[str]) -> Day | None:
    parts = {name: value for name, value in match.groupdict().items() if value}
    form = next(iter(parts)).partition("_")[0]
    year = _number(parts.get(f"{form}_y", "0"))
    month = _number(parts[f"{form}_m"])
    day = _number(parts.get(f"{form}_d", "0"))
    if form == "us" and month > 12:
        month, day = day, month
    if not 1 <= month <= 12 or day > 31:
        return None
    return Day(year, month, day)


def _number(written: str) -> int:
    if written.isascii():
        return MONTHS.get(written) or int(written)
    if "十" not in written:
        return int("".join(str(HAN_DIGITS[digit]) for digit in written))
    tens, _, ones = written.partition("十")
    if len(tens) > 1 or len(ones) > 1:
        return 99
    return HAN_DIGITS.get(tens, 1) * 10 + HAN_DIGITS.get(ones, 0)
