"""The OpenAPI document and the page that shows it."""

from functools import cache
from typing import Any

import orjson
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from drf_spectacular.generators import SchemaGenerator

CONTENT_TYPE = "application/vnd.oai.openapi+json"


@cache
def document() -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of the agent API."""
    generator = SchemaGenerator()  # type: ignore[no-untyped-call]
    made: dict[str, Any] = generator.get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return made


def schema(request: HttpRequest) -> HttpResponse:
    """Serve the document as JSON."""
    return HttpResponse(orjson.dumps(document()), content_type=CONTENT_TYPE)


def docs(request: HttpRequest) -> HttpResponse:
    """Show the document in a browser, with files of this server only."""
    return render(request, "api/docs.html")
