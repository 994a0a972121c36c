"""Fields that take exactly what the API promises, and say why not without echoing."""

import math
import re
import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import orjson
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from memory_core.contracts.limits import LARGEST_METADATA

CLOCK_SKEW = timedelta(seconds=60)  # how far another machine's clock may be ahead
DEEPEST_METADATA = 8
LARGEST_INTEGER = 2**53
VISIBLE = "LNPS"  # letters, numbers, punctuation, symbols


class Text(serializers.CharField):
    """A string, NFC-normalised; NUL and lone surrogates are refused.

    `visible` asks for at least one character that can be seen by itself.
    """

    default_error_messages = {
        "invalid": "Send a string.",
        "nothing_visible": "Send at least one visible character.",
    }

    def __init__(self, *, visible: bool = False, **options: Any) -> None:
        options.setdefault("trim_whitespace", False)
        self.visible = visible
        super().__init__(**options)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if data is not serializers.empty and not isinstance(data, str | None):
            self.fail("invalid")
        return super().run_validation(data)

    def to_internal_value(self, data: str) -> str:
        text = unicodedata.normalize("NFC", data)
        if self.visible and not any(
            unicodedata.category(c)[0] in VISIBLE for c in text
        ):
            self.fail("nothing_visible")
        return text


class OwnerId(Text):
    """Whom the memories belong to: 1 to 200 characters, no space around them."""

    default_error_messages = {"space_around": "Leave out the space around the id."}

    def __init__(self, **options: Any) -> None:
        super().__init__(visible=True, min_length=1, max_length=200, **options)

    def to_internal_value(self, data: str) -> str:
        text = super().to_internal_value(data)
        if text != text.strip():
            self.fail("space_around")
        return text


class Choice(serializers.ChoiceField):
    """One of a few words."""

    def __init__(self, choices: Any, **options: Any) -> None:
        super().__init__(choices, **options)
        words = ", ".join(str(choice) for choice in self.choices)
        self.error_messages["invalid_choice"] = f"Send one of: {words}."

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str) or data not in self.choices:
            self.fail("invalid_choice")
        return data


class Integer(serializers.IntegerField):
    """A whole JSON number: no string, no boolean, no fraction."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return data


class Number(serializers.FloatField):
    """A finite JSON number: no string, no boolean."""

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        try:
            number = float(data)
        except OverflowError:
            self.fail("invalid")
        if not math.isfinite(number):
            self.fail("invalid")
        return number + 0.0  # -0.0 becomes 0.0


class Share(Number):
    """A number from 0 to 1."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=0.0, max_value=1.0, **options)


class Flag(serializers.BooleanField):
    """true or false, nothing that looks like it."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input="")
        return data

    default_error_messages = {"invalid": "Send true or false."}


class MemoryId(serializers.UUIDField):
    """The id of a memory, of a recall or of a run."""

    default_error_messages = {"invalid": "Send an id as the service gave it."}

    def to_internal_value(self, data: Any) -> UUID:
        if not isinstance(data, str):
            self.fail("invalid", value="")
        try:
            return UUID(data)
        except ValueError:
            self.fail("invalid", value="")


TIME = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ]([0-9]{2}:[0-9]{2}(?::[0-9]{2})?)"
    r"(?:[.,]([0-9]{1,9}))?([Zz]|[+-][0-9]{2}:?[0-9]{2})?"
)


class Moment(serializers.DateTimeField):
    """An ISO 8601 time with Z or an offset, as UTC; `past` refuses the future.

    A clock that is up to a minute ahead is forgiven: its times become now.
    """

    default_error_messages = {
        "invalid": "Send an ISO 8601 time such as 2026-03-01T09:30:00Z.",
        "naive": "Say which time zone is meant: end with Z or an offset like +08:00.",
        "in_the_future": "This cannot lie in the future.",
    }

    def __init__(self, *, past: bool = False, **options: Any) -> None:
        self.past = past
        super().__init__(**options)

    def to_internal_value(self, value: Any) -> datetime:
        moment = self._parsed(value)
        if self.past and moment > (now := timezone.now()):
            if moment > now + CLOCK_SKEW:
                self.fail("in_the_future")
            return now
        return moment

    def _parsed(self, value: Any) -> datetime:
        found = TIME.fullmatch(value) if isinstance(value, str) else None
        if found is None:
            self.fail("invalid", format="")
        day, clock, fraction, offset = found.groups()
        micros = (fraction or "0")[:6].ljust(6, "0")
        clock = clock if clock.count(":") == 2 else f"{clock}:00"
        try:
            moment = datetime.fromisoformat(f"{day}T{clock}.{micros}")
            if offset is None:
                self.fail("naive")
            zone = "+00:00" if offset in "Zz" else offset
            moment = datetime.fromisoformat(f"{moment.isoformat()}{zone}")
            return moment.astimezone(UTC)
        except (ValueError, OverflowError):
            self.fail("invalid", format="")


class OneOrMany(serializers.Field):  # type: ignore[type-arg]
    """A word or a list of words; the value is always a tuple."""

    default_error_messages = {"invalid": "Send a word or a list of words."}

    def __init__(
        self,
        child: serializers.Field,  # type: ignore[type-arg]
        *,
        in_query: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.in_query = in_query
        self.many = serializers.ListField(child=child, min_length=1, max_length=50)

    def to_internal_value(self, data: Any) -> tuple[str, ...]:
        if not isinstance(data, str | list):
            self.fail("invalid")
        many = self.many.run_validation([data] if isinstance(data, str) else data)
        return tuple(dict.fromkeys(many))

    def to_representation(self, value: Any) -> Any:
        return value


@extend_schema_field(OpenApiTypes.OBJECT)
class Metadata(serializers.Field):  # type: ignore[type-arg]
    """A JSON object of at most 16 KiB, 8 levels deep, with storable strings."""

    default_error_messages = {
        "invalid": "Send a JSON object.",
        "too_large": "At most 16 KiB fit here.",
        "too_deep": "At most 8 levels fit here.",
        "unstorable": "NUL, lone surrogates and numbers beyond 2^53 cannot be stored.",
    }

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, Mapping):
            self.fail("invalid")
        self._check(data, level=1)
        if len(orjson.dumps(data)) > LARGEST_METADATA:
            self.fail("too_large")
        return dict(data)

    def to_representation(self, value: Any) -> Any:
        return value

    def _check(self, value: Any, *, level: int) -> None:
        if level > DEEPEST_METADATA + 1:
            self.fail("too_deep")
        if isinstance(value, Mapping):
            for key, inner in value.items():
                self._check(key, level=level)
                self._check(inner, level=level + 1)
        elif isinstance(value, list):
            for inner in value:
                self._check(inner, level=level + 1)
        elif not _is_storable(value):
            self.fail("unstorable")


def _is_storable(value: Any) -> bool:
    if isinstance(value, str):
        return "\x00" not in value and not any(0xD800 <= ord(c) < 0xE000 for c in value)
    if isinstance(value, int | float):
        return abs(value) <= LARGEST_INTEGER
    return value is None
