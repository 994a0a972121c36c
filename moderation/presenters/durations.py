"""Lengths of time in words."""

from django.utils.translation import ngettext

HOURS_FROM, DAYS_FROM, YEARS_FROM = 1 / 24, 2.0, 730.0
MINUTES_A_DAY = 1440


def in_words(days: float) -> str:
    """Return a length in minutes, hours, days or years, whichever reads best."""
    if days < HOURS_FROM:
        number = f"{days * MINUTES_A_DAY:.0f}"
        text = ngettext("%(number)s minute", "%(number)s minutes", _count(number))
    elif days < DAYS_FROM:
        number = _rounded(days * 24)
        text = ngettext("%(number)s hour", "%(number)s hours", _count(number))
    elif days < YEARS_FROM:
        number = _rounded(days)
        text = ngettext("%(number)s day", "%(number)s days", _count(number))
    else:
        number = _rounded(days / 365)
        text = ngettext("%(number)s year", "%(number)s years", _count(number))
    return text % {"number": number}


def _rounded(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}".removesuffix(".0")


def _count(number: str) -> int:
    """Return the number that decides between one and many."""
    return 1 if number == "1" else 2
