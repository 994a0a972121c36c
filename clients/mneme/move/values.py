"""Foreign values -> the values of a memory. Pure; a zone is told, never guessed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone, tzinfo
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from mneme.checks import SOURCE_KINDS, TYPES
from mneme.errors import InvalidItem
from mneme.times import parse_time

MAX_EPOCH_SECONDS = 10**11  # a larger number counts milliseconds


@dataclass(frozen=True)
class Defaults:
    """What the person who moves says about a whole file.

    `owner_id` for records that name nobody, `zone` for times without an offset,
    `namespace` to put the memories in, `moment` for records without any time (the
    file's own, so that moving it again finds the same memories).
    """

    owner_id: str = ""
    zone: tzinfo | None = None
    namespace: str = ""
    moment: datetime | None = None


def zone_of(name: str) -> tzinfo:
    """Return the zone of `+08:00`, `Z` or `Asia/Shanghai`."""
    if name.upper() in ("Z", "UTC"):
        return timezone.utc
    if name[:1] in "+-" and len(name) == 6 and name[3] == ":":
        sign = -1 if name[0] == "-" else 1
        hours, minutes = int(name[1:3]), int(name[4:6])
        return timezone(sign * timedelta(hours=hours, minutes=minutes))
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ValueError(f"{name} is no time zone") from error


def moment(value: Any, field: str, zone: tzinfo | None) -> datetime | None:
    """Return a time given as text, date or seconds since 1970; None if empty."""
    if value in (None, ""):
        return None
    if isinstance(value, bool):
        raise InvalidItem("bad_time", field, "is not a time")
    if isinstance(value, (int, float)):
        seconds = value / 1000 if value > MAX_EPOCH_SECONDS else value
        return datetime.fromtimestamp(seconds, timezone.utc)
    if isinstance(value, date) and not isinstance(value, datetime):
        value = f"{value.isoformat()}T00:00:00"
    try:
        return parse_time(_spelled(value), field)
    except InvalidItem as error:
        if error.code != "time_without_offset" or zone is None:
            raise
    naive = parse_time(f"{_spelled(value)}Z", field)
    return naive.replace(tzinfo=zone).astimezone(timezone.utc)


def text(value: Any) -> str:
    """Return a text; numbers as they are written, "" for nothing."""
    return "" if value is None else str(value).strip()


def words(value: Any) -> tuple[str, ...]:
    """Return a list of words given as a list or as one text with commas."""
    if value in (None, ""):
        return ()
    parts = value.split(",") if isinstance(value, str) else list(value)
    return tuple(dict.fromkeys(text(part) for part in parts if text(part)))


def category(value: Any, otherwise: str = "fact") -> str:
    """Return the value if it is one of our categories."""
    named = text(value).lower()
    return named if named in TYPES else otherwise


def source_kind(value: Any, otherwise: str = "import") -> str:
    """Return the value if it is one of our source kinds."""
    named = text(value).lower()
    return named if named in SOURCE_KINDS else otherwise


def share(value: Any, field: str) -> float | None:
    """Return a number from 0 to 1 given as a number or as digits; None if empty."""
    if value in (None, ""):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise InvalidItem("wrong_type", field, "is not a number") from error
    if not 0 <= number <= 1:
        raise InvalidItem("out_of_range", field, "is not between 0 and 1")
    return number


def whole(value: Any, field: str) -> int:
    """Return a count given as a number or as digits; 0 if empty."""
    if value in (None, ""):
        return 0
    try:
        return int(value)
    except (TypeError, ValueError) as error:
        raise InvalidItem("wrong_type", field, "is not a whole number") from error


def rest(record: Mapping[str, Any], used: Iterable[str]) -> dict[str, Any]:
    """Return what no field took, as JSON values; it goes to the metadata."""
    taken = set(used)
    return {
        str(name): _json(value)
        for name, value in record.items()
        if name not in taken and value not in (None, "", [], {})
    }


def _spelled(value: Any) -> str:
    spelled = value.isoformat() if isinstance(value, datetime) else text(value)
    return f"{spelled}T00:00:00" if len(spelled) == 10 else spelled


def _json(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _json(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_json(part) for part in value]
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    return value
