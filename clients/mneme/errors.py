"""What can go wrong, as a small family with stable codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class MnemeError(Exception):
    """Base of all errors of this library; `code` is stable."""

    code = "error"


class InvalidItem(MnemeError, ValueError):
    """A memory has a value that no store may hold; `field` names where."""

    def __init__(self, code: str, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.code = code
        self.field = field
        self.message = message


class NotFound(MnemeError, LookupError):
    """There is no such memory for this owner."""

    code = "not_found"


class Unavailable(MnemeError):
    """The store cannot be reached or cannot answer now; trying later may help."""

    code = "unavailable"


class Refused(MnemeError):
    """The service understood and said no; trying again will not help.

    `status` is the HTTP status, `code` the service's stable code, `errors` its list
    of `{field, code, message}`, `request_id` what to quote to an operator.
    """

    def __init__(
        self,
        call: str,
        *,
        status: int,
        code: str,
        detail: str,
        errors: Sequence[dict[str, Any]] = (),
        request_id: str = "",
    ) -> None:
        fields = "; ".join(f"{e.get('field')}: {e.get('message')}" for e in errors)
        said = f"{detail} ({fields})" if fields else detail
        trail = f" [request {request_id}]" if request_id else ""
        super().__init__(f"{call} was refused: {status} {code}: {said}{trail}")
        self.status = status
        self.code = code
        self.detail = detail
        self.errors = tuple(errors)
        self.request_id = request_id
