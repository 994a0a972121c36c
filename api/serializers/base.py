"""Input objects: unknown fields are refused, so that a typo is never silent."""

from collections.abc import Mapping
from functools import cache
from itertools import islice
from typing import Any

from django.http import QueryDict
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from api.field_errors import MOST_ERRORS

MESSAGE = "There is no such field here."


class Input(serializers.Serializer):  # type: ignore[type-arg]
    """An object with exactly these fields."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Return the validated values; ValidationError lists every fault at once."""
        faults: dict[str, Any] = {}
        if isinstance(data, Mapping):
            for name in islice(data.keys() - self.fields.keys(), MOST_ERRORS):
                faults[str(name)] = [ErrorDetail(MESSAGE, "unknown_field")]
        try:
            values = super().run_validation(data)
        except ValidationError as error:
            if not faults or not isinstance(error.detail, dict):
                raise
            raise ValidationError({**error.detail, **faults}) from None
        if faults:
            raise ValidationError(faults)
        return values


@cache
def _shared(kind: type[Input]) -> Input:
    """Return the one instance of an input; building its fields is slow."""
    return kind()


def validated(kind: type[Input], data: Any) -> dict[str, Any]:
    """Return the checked values of `data`; raises ValidationError (422)."""
    values: dict[str, Any] = _shared(kind).run_validation(data)
    return values


def from_query(kind: type[Input], query: QueryDict) -> dict[str, Any]:
    """Return the checked values of a query string.

    A parameter that may occur once and occurs twice is refused, since two parts of a
    system could each believe another one.
    """
    many = {n for n, f in _shared(kind).fields.items() if getattr(f, "many", None)}
    repeated = [n for n, v in query.lists() if len(v) > 1 and n not in many]
    if repeated:
        fault = ErrorDetail("Send this parameter once.", "repeated")
        raise ValidationError({name: [fault] for name in repeated})
    data = {n: v if n in many else v[0] for n, v in query.lists()}
    return validated(kind, data)
