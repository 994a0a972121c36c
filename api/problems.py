"""Problem details (RFC 9457): the one shape of every error answer."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

import orjson

CONTENT_TYPE = "application/problem+json"
TYPE_PREFIX = "urn:mneme:problem:"


def problem(
    *,
    status: int,
    code: str,
    detail: str = "",
    title: str = "",
    errors: Sequence[Mapping[str, str]] = (),
    request_id: str = "",
    extra: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return a problem document; `errors` and `extra` only where there are any."""
    title = title or HTTPStatus(status).phrase
    body: dict[str, Any] = {
        "type": TYPE_PREFIX + code,
        "title": title,
        "status": status,
        "code": code,
        "detail": detail or title,
        "request_id": request_id,
    }
    if errors:
        body["errors"] = list(errors)
    return {**(extra or {}), **body}


def as_bytes(document: Mapping[str, Any]) -> bytes:
    """Return a problem document as JSON."""
    return orjson.dumps(document)
