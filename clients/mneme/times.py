"""Times as the portable format writes them: ISO 8601, UTC, `Z`."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone

from mneme.errors import InvalidItem

_ISO = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?"
    r"(Z|z|[+-]\d\d:?\d\d)?"
)


def utc_now() -> datetime:
    """Return the current time with its zone; called at the edge only."""
    return datetime.now(timezone.utc)


def parse_time(value: object, field: str) -> datetime:
    """Return the moment in UTC; a time without an offset is refused, not guessed."""
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise InvalidItem("time_without_offset", field, "the time has no offset")
        return value.astimezone(timezone.utc)
    match = _ISO.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise InvalidItem("bad_time", field, "not an ISO 8601 time")
    *parts, fraction, offset = match.groups()
    if offset is None:
        raise InvalidItem("time_without_offset", field, "the time has no offset")
    micro = int((fraction or "0")[:6].ljust(6, "0"))
    year, month, day, hour, minute, second = (int(part or 0) for part in parts)
    try:
        moment = datetime(
            year, month, day, hour, minute, second, micro, tzinfo=_zone(offset)
        )
        return moment.astimezone(timezone.utc)
    except (ValueError, OverflowError) as error:
        raise InvalidItem("bad_time", field, str(error)) from error


def format_time(moment: datetime) -> str:
    """Return `2026-11-30T05:50:00Z`, with up to six decimals where there are any."""
    text = moment.astimezone(timezone.utc).replace(tzinfo=None).isoformat()
    return text + "Z"


def _zone(offset: str) -> timezone:
    if offset in "Zz":
        return timezone.utc
    sign = -1 if offset[0] == "-" else 1
    digits = offset[1:].replace(":", "")
    return timezone(sign * timedelta(hours=int(digits[:2]), minutes=int(digits[2:])))
