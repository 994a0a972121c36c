"""The values of a line: each check returns the value or says what is wrong with it."""

import math
import re
import unicodedata
from collections.abc import Callable, Collection
from datetime import UTC, datetime
from typing import Any

import numpy as np

from memory_core.contracts.limits import LARGEST_METADATA
from memory_core.contracts.relation import Vector

LARGEST_INTEGER = 2**53
DEEPEST_METADATA = 8
LARGEST_COUNT = 2**31 - 1
LARGEST_TALLY = 10**9  # what the service goes on counting must not come to its end
NUMBERS = frozenset((int, float))
UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")
LARGEST_COMPONENT = 1e4  # half floats end at 65,504

Check = Callable[[Any], Any]


class BadValue(ValueError):
    """A value that cannot be taken, by a code of the format."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def text(most: int, *, least: int = 0) -> Check:
    """Return a check for a string of so many characters after NFC."""

    def check(value: Any) -> str:
        if not isinstance(value, str):
            raise BadValue("wrong_type", "a string is meant")
        composed = unicodedata.normalize("NFC", value)
        if len(composed) > most:
            raise BadValue("too_long", f"at most {most} characters")
        if len(composed.strip()) < least:
            raise BadValue("out_of_range", "the text is empty")
        return composed

    return check


def one_of(words: Collection[str]) -> Check:
    """Return a check for one of some words."""

    def check(value: Any) -> str:
        if not isinstance(value, str):
            raise BadValue("wrong_type", "a string is meant")
        if value not in words:
            raise BadValue("out_of_range", f"one of: {', '.join(sorted(words))}")
        return value

    return check


def list_of(item: Check, most: int) -> Check:
    """Return a check for a list of at most so many values."""

    def check(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise BadValue("wrong_type", "a list is meant")
        if len(value) > most:
            raise BadValue("too_long", f"at most {most} entries")
        return tuple(dict.fromkeys(item(one) for one in value))

    return check


def share(value: Any) -> float:
    """Return a number in [0, 1]."""
    number = _number(value)
    if not 0 <= number <= 1:
        raise BadValue("out_of_range", "from 0 to 1")
    return number


def count(value: Any) -> int:
    """Return a whole number, 0 or more."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadValue("wrong_type", "a whole number is meant")
    if not 0 <= value <= LARGEST_COUNT:
        raise BadValue("out_of_range", f"from 0 to {LARGEST_COUNT}")
    return value


def tally(value: Any) -> int:
    """Return a whole number that the service will count on from."""
    if count(value) > LARGEST_TALLY:
        raise BadValue("out_of_range", f"from 0 to {LARGEST_TALLY}")
    return int(value)


def moment(value: Any) -> datetime:
    """Return an aware time in UTC; nobody guesses zones."""
    if not isinstance(value, str):
        raise BadValue("wrong_type", "a time is a string")
    try:
        parsed = datetime.fromisoformat(value)
    except ValueError:
        raise BadValue("bad_time", "ISO 8601 is meant") from None
    if len(value) < len("2026-01-01T00:00"):
        raise BadValue("bad_time", "date and time are meant")
    if parsed.tzinfo is None:
        raise BadValue("time_without_offset", "an offset or Z is needed")
    try:
        return parsed.astimezone(UTC)
    except OverflowError:
        raise BadValue("bad_time", "the year is out of range") from None


def vector(value: Any) -> Vector:
    """Return a list of finite numbers as an array."""
    if not isinstance(value, list) or not NUMBERS.issuperset(map(type, value)):
        raise BadValue("wrong_type", "a list of numbers is meant")
    try:
        found = np.asarray(value, dtype=np.float64)
    except OverflowError:
        raise BadValue("out_of_range", "a number is too large") from None
    if not (np.abs(found) <= LARGEST_COMPONENT).all():
        raise BadValue("out_of_range", "a number is too large")
    return found.astype(np.float32)


def metadata(value: Any) -> dict[str, Any]:
    """Return an object of at most 16 KiB and 8 levels."""
    if not isinstance(value, dict):
        raise BadValue("wrong_type", "an object is meant")
    size = _size(value, level=1)
    if size > LARGEST_METADATA:
        raise BadValue("too_long", "at most 16 KiB")
    return value


def refuse_unstorable(value: Any) -> None:
    """Raise BadValue for a NUL or a lone surrogate in any string inside."""
    if isinstance(value, str):
        if UNSTORABLE.search(value):
            raise BadValue("unstorable_text", "NUL and lone surrogates cannot be kept")
    elif isinstance(value, dict):
        for key, inner in value.items():
            refuse_unstorable(key)
            refuse_unstorable(inner)
    elif isinstance(value, list):
        for inner in value:
            if type(inner) not in NUMBERS:  # a vector has hundreds
                refuse_unstorable(inner)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadValue("wrong_type", "a number is meant")
    if not math.isfinite(value):
        raise BadValue("out_of_range", "a finite number is meant")
    return float(value)


def _size(value: Any, *, level: int) -> int:
    """Return about how many bytes a value takes as JSON."""
    if level > DEEPEST_METADATA + 1:
        raise BadValue("too_long", f"at most {DEEPEST_METADATA} levels")
    if isinstance(value, str):
        return len(value.encode("utf-8", "surrogatepass")) + 2
    if isinstance(value, dict):
        inner = [
            _size(k, level=level) + _size(v, level=level + 1) + 2
            for k, v in value.items()
        ]
        return sum(inner) + 2
    if isinstance(value, list):
        return sum(_size(one, level=level + 1) + 1 for one in value) + 2
    if isinstance(value, int | float) and abs(value) > LARGEST_INTEGER:
        raise BadValue("out_of_range", "numbers beyond 2^53 cannot be kept")
    return len(str(value))
