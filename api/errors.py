"""Every exception of a view becomes a problem here, and nowhere else."""

import logging
import math
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import DataError, InterfaceError, InternalError, OperationalError
from django.http import Http404
from redis.exceptions import RedisError
from rest_framework import exceptions as drf
from rest_framework.response import Response

from api.field_errors import flatten
from api.middleware import request_id_of
from api.problems import CONTENT_TYPE, problem
from memory_core import faults
from memory_core.actions import denials
from memory_core.contracts.callers import Caller
from memory_core.embedding import EmbedderUnavailable
from memory_core.exceptions import MnemeError

logger = logging.getLogger(__name__)

RETRY_SECONDS = 2
NOT_OFFERED = 501  # no fault of ours
UNSTORABLE = "A value cannot be stored as it was sent."
UNAVAILABLE = "A part of the service is down; try again shortly."
NO_CALLER = "A valid token is needed: Authorization: Bearer mnm_..."
DRF_PARTS: dict[type[Exception], tuple[str, str]] = {
    drf.NotAuthenticated: ("unauthenticated", NO_CALLER),
    drf.AuthenticationFailed: ("unauthenticated", NO_CALLER),
    drf.PermissionDenied: ("forbidden", ""),
    drf.NotFound: ("not_found", ""),
    drf.MethodNotAllowed: ("method_not_allowed", "See Allow for the methods here."),
    drf.UnsupportedMediaType: (
        "unsupported_media_type",
        "Send Content-Type: application/json in UTF-8, uncompressed.",
    ),
    drf.Throttled: ("rate_limited", "Too many requests; Retry-After says how long."),
}


def handle(error: Exception, context: Mapping[str, Any]) -> Response:
    """Return the problem answer for whatever a view raised."""
    request = context["request"]
    request_id = request_id_of(request._request)
    _record_denial(error, request)
    response = Response(
        problem(**parts_of(error), request_id=request_id), content_type=CONTENT_TYPE
    )
    response.status_code = response.data["status"]
    for name, value in _headers(error, context).items():
        response[name] = value
    if response.status_code >= 500 and response.status_code != NOT_OFFERED:
        said = faults.type_and_places(error)
        logger.error("request %s failed: %s", request_id, said)
    return response


def parts_of(error: Exception) -> dict[str, Any]:
    """Return status, code, detail and field errors for an exception.

    No message of a library is passed on: it might quote what was sent.
    """
    if isinstance(error, MnemeError):
        extra = dict(error.extra)
        field = extra.pop("field", "")
        errors = extra.pop("errors", ()) or _of_field(error, field)
        return _parts(
            error.status, error.code, error.detail, error.title, errors, extra
        )
    if isinstance(error, drf.ValidationError):
        return validation_parts(error)
    if isinstance(error, drf.ParseError):
        return _parts(400, str(error.get_codes()), str(error.detail))
    if isinstance(error, drf.APIException):
        code, detail = DRF_PARTS.get(type(error), ("refused", ""))
        return _parts(error.status_code, code, detail)
    if isinstance(error, Http404):
        return _parts(404, "not_found")
    if isinstance(error, PermissionDenied):
        return _parts(403, "forbidden")
    return _unexpected(error)


def _of_field(error: MnemeError, field: str) -> list[dict[str, str]]:
    """Return the field errors of a refusal that one field is the cause of."""
    if not field:
        return []
    return [{"field": field, "code": error.code, "message": error.detail}]


def validation_parts(error: drf.ValidationError) -> dict[str, Any]:
    """Return the parts of a 422 with its field errors."""
    errors = flatten(error.get_full_details())
    unknown = any(one["code"] == "unknown_field" for one in errors)
    code = "unknown_field" if unknown else "invalid"
    return _parts(422, code, "Some fields cannot be accepted; see errors.", "", errors)


def _unexpected(error: Exception) -> dict[str, Any]:
    if isinstance(error, DataError | UnicodeEncodeError):
        return _parts(422, "unstorable", UNSTORABLE)
    if isinstance(error, EmbedderUnavailable):
        return _parts(503, "embedding_unavailable", UNAVAILABLE)
    if _is_passing(error):
        return _parts(503, "service_unavailable", UNAVAILABLE)
    return _parts(500, "internal_error", "Something went wrong on our side.")


def _is_passing(error: Exception) -> bool:
    """Return whether a part is down, busy or failing over: trying again may help."""
    passing = OperationalError | InterfaceError | InternalError | RedisError
    return isinstance(error, passing)


def _parts(
    status: int,
    code: str,
    detail: str = "",
    title: str = "",
    errors: Any = (),
    extra: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    return {
        "status": status,
        "code": code,
        "detail": detail,
        "title": title,
        "errors": errors,
        "extra": extra,
    }


def _headers(error: Exception, context: Mapping[str, Any]) -> dict[str, str]:
    status = parts_of(error)["status"]
    if status == 401:
        return {
            "WWW-Authenticate": context["view"].get_authenticate_header(
                context["request"]
            )
        }
    if isinstance(error, drf.Throttled):
        return {"Retry-After": str(max(1, math.ceil(getattr(error, "wait", 1) or 1)))}
    if status == 503:
        return {"Retry-After": str(RETRY_SECONDS)}
    return {}


def _record_denial(error: Exception, request: Any) -> None:
    caller = getattr(request, "_user", None)
    if isinstance(caller, Caller):
        denials.record([error], by=caller)
