"""Answers: JSON in UTF-8, times in UTC with Z."""

import json
from collections.abc import Mapping
from typing import Any

import orjson
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

OPTIONS = orjson.OPT_UTC_Z | orjson.OPT_NAIVE_UTC | orjson.OPT_NON_STR_KEYS


class OrjsonRenderer(BaseRenderer):
    """Render plain values, UUIDs and datetimes."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Return the JSON text; nothing for an answer without content."""
        if data is None:
            return b""
        try:
            return orjson.dumps(data, default=str, option=OPTIONS)
        except TypeError:  # an integer of more than 64 bits in somebody's metadata
            return json.dumps(data, default=_plain, ensure_ascii=False).encode()


def _plain(value: Any) -> Any:
    return orjson.loads(orjson.dumps(value, default=str, option=OPTIONS))


class AsItIs(OrjsonRenderer):
    """Pass bytes through; a problem is still JSON."""

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Return the bytes, or the JSON of anything else."""
        if isinstance(data, bytes):
            return data
        return super().render(data, accepted_media_type, renderer_context)


class AlwaysJSON(BaseContentNegotiation):
    """There is one form of every answer, so the Accept header decides nothing."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        """Return the parser for the body's content type, None if there is none."""
        sent = request.content_type.partition(";")[0].strip().lower()
        return next((p for p in parsers if p.media_type == sent), None)

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: str | None = None
    ) -> tuple[Any, str]:
        """Return the first renderer."""
        return renderers[0], renderers[0].media_type
