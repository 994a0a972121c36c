"""mem0's dates: days are days of UTC, numbers count seconds since 1970."""

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from rest_framework import serializers

from api.serializers.fields import Moment

DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
INSTANT = timedelta(microseconds=1)


def span_of(value: Any) -> tuple[datetime, datetime] | None:
    """Return the first and the last moment of a day, or a moment twice.

    None for what is no time; one without an offset is none either.
    """
    if isinstance(value, bool):
        return None
    try:
        if isinstance(value, int | float):
            moment = datetime.fromtimestamp(value, UTC)
        elif isinstance(value, str) and DAY.fullmatch(value):
            first = datetime.combine(date.fromisoformat(value), time(), UTC)
            return first, first + timedelta(days=1) - INSTANT
        else:
            moment = Moment().run_validation(value)
    except (ValueError, OverflowError, OSError, serializers.ValidationError):
        return None
    return moment, moment


def day_of(moment: datetime | None) -> str | None:
    """Return the last whole day before a moment at which something ends."""
    return (moment - INSTANT).date().isoformat() if moment else None


def written(moment: datetime) -> str:
    """Return a moment as older versions of Python read it too."""
    return moment.astimezone(UTC).isoformat()


class Timestamp(Moment):
    """Seconds since 1970 or an ISO 8601 time."""

    def to_internal_value(self, value: Any) -> datetime:
        if isinstance(value, int | float) and not isinstance(value, bool):
            span = span_of(value)
            if span is None:
                self.fail("invalid", format="")
            value = span[0].isoformat()
        return super().to_internal_value(value)


class LastDay(Moment):
    """The last day (or moment) on which something holds, as the moment of its end."""

    def to_internal_value(self, value: Any) -> datetime:
        if isinstance(value, str) and DAY.fullmatch(value):
            span = span_of(value)
            if span is None:
                self.fail("invalid", format="")
            return span[1] + INSTANT
        return super().to_internal_value(value)


class AnyMoment(Moment):
    """A day, meaning its end, seconds since 1970 or an ISO 8601 time."""

    def to_internal_value(self, value: Any) -> datetime:
        span = span_of(value)
        return span[1] if span else super().to_internal_value(value)


class FirstMoment(Moment):
    """A day, meaning its start, seconds since 1970 or an ISO 8601 time."""

    def to_internal_value(self, value: Any) -> datetime:
        span = span_of(value)
        return span[0] if span else super().to_internal_value(value)
