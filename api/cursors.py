"""Cursors of a list: opaque, signed, good for the same owner and filters only."""

import base64
import binascii
import hmac
import json
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from rest_framework.exceptions import ErrorDetail, ValidationError

from memory_core import digests

SIGNATURE_LENGTH = 16


def write(after: UUID, *, bound_to: Mapping[str, Any]) -> str:
    """Return the cursor that continues after a memory in the list `bound_to` names."""
    raw = after.bytes + _signature(after, bound_to)
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def read(cursor: str, *, bound_to: Mapping[str, Any]) -> UUID:
    """Return the memory to continue after; ValidationError for any other cursor."""
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), b"-_", validate=True)
        after = UUID(bytes=raw[:SIGNATURE_LENGTH])
    except (binascii.Error, ValueError):
        raise _refusal() from None
    if not hmac.compare_digest(raw[SIGNATURE_LENGTH:], _signature(after, bound_to)):
        raise _refusal()
    return after


def _signature(after: UUID, bound_to: Mapping[str, Any]) -> bytes:
    subject = json.dumps([after.hex, bound_to], sort_keys=True, default=str)
    return digests.keyed("cursor", subject)[:SIGNATURE_LENGTH]


def _refusal() -> ValidationError:
    message = "Send the cursor of the same list, as it was given."
    return ValidationError({"cursor": [ErrorDetail(message, "invalid_cursor")]})
