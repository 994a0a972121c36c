"""Parts of the OpenAPI document that several views share."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, inline_serializer
from rest_framework import serializers

from api.serializers.memories import MOST_ITEMS, SaveInput
from api.serializers.outputs import ProblemOutput

USUAL = (400, 401, 403, 413, 415, 422, 429, 500, 503)
WITHOUT_BODY = (401, 403, 422, 429, 500, 503)
PROBLEMS = {
    400: "The body is not acceptable JSON",
    401: "No valid token",
    403: "The token may not do this",
    404: "Nothing here under this id for this owner",
    405: "Another method is meant",
    409: "In conflict with what is stored",
    410: "The owner was erased",
    413: "The body is too large",
    415: "Another kind of body is meant",
    422: "Fields that cannot be accepted, or a text that was refused",
    423: "A legal hold forbids it",
    429: "Too many requests; Retry-After says how long to wait",
    500: "A fault of ours",
    503: "A part of the service is down; Retry-After says when to try again",
}

IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="The same key and body give the same answer for 24 hours.",
)

BatchBody = inline_serializer(
    "Batch",
    {"items": serializers.ListField(child=SaveInput(), max_length=MOST_ITEMS)},
)


def answers(
    good: dict[int, Any], *more: int, usual: tuple[int, ...] = USUAL
) -> dict[Any, Any]:
    """Return the documented answers of a view: the good ones and its problems."""
    problems = {
        (status, "application/problem+json"): OpenApiResponse(
            ProblemOutput, description=PROBLEMS[status]
        )
        for status in sorted({*usual, *more})
    }
    return {
        **{(s, "application/json"): OpenApiResponse(k) for s, k in good.items()},
        **problems,
    }
