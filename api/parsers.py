"""Bodies: strict JSON in UTF-8, bounded in size and depth, read before it is parsed."""

import json
import math
from collections.abc import Mapping
from io import BytesIO
from typing import IO, Any

from django.http import HttpRequest
from rest_framework.exceptions import ParseError, UnsupportedMediaType
from rest_framework.parsers import BaseParser

from memory_core import foreign_json
from memory_core.exceptions import MnemeError

MEBIBYTE = 1024 * 1024
DEEPEST = 32
LONGEST_NUMBER = 100


class BodyTooLarge(MnemeError):
    code, status, title = "body_too_large", 413, "The body is larger than allowed here"


class StrictJSONParser(BaseParser):
    """Parse a JSON object; anything that two parsers could read differently is refused.

    Refused with 400: a byte order mark, invalid UTF-8, NaN and infinities, a key that
    occurs twice, more than 32 levels, numbers of more than 100 digits. With 415: any
    other charset, any content encoding. With 413: a body over the view's limit.
    """

    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Return the object in the body."""
        context = parser_context or {}
        request: HttpRequest = context["request"]
        check_encoding(request, media_type or "")
        return loads(_read(stream, limit=context["view"].body_limit, request=request))


def check_encoding(request: HttpRequest, media_type: str) -> None:
    """Raise UnsupportedMediaType (415) for another charset or a compressed body."""
    for parameter in media_type.split(";")[1:]:
        name, _, value = parameter.partition("=")
        charset = value.strip().strip('"').lower()
        if name.strip().lower() == "charset" and charset not in {"utf-8", "utf8"}:
            raise UnsupportedMediaType(media_type)
    if request.META.get("HTTP_CONTENT_ENCODING", "identity").lower() != "identity":
        raise UnsupportedMediaType(media_type)


def loads(raw: bytes) -> dict[str, Any]:
    """Return the JSON object in `raw`; ParseError (400) says what is wrong with it."""
    try:
        value = foreign_json.loads(raw, _DECODER, deepest=DEEPEST)
    except UnicodeDecodeError:
        raise ParseError("The body is not valid UTF-8.", "not_utf8") from None
    except foreign_json.TooDeep:
        raise ParseError("The body is nested too deeply.", "too_deep") from None
    except ValueError as error:
        reason = getattr(error, "reason", "not_json")
        raise ParseError(REASONS[reason], reason) from None
    if not isinstance(value, dict):
        raise ParseError("The body must be a JSON object.", "not_an_object")
    return value


def accept_chunks(request: HttpRequest, *, limit: int) -> None:
    """Read a body that comes in chunks, without a length, up to one byte over `limit`.

    Django takes a missing Content-Length for an empty body; the server has already
    decoded the chunks and says that the stream ends by itself.
    """
    meta = request.META
    if meta.get("CONTENT_LENGTH") or not meta.get("wsgi.input_terminated"):
        return
    body = BytesIO()
    while (chunk := meta["wsgi.input"].read(64 * 1024)) and body.tell() <= limit:
        body.write(chunk)
    meta["CONTENT_LENGTH"] = str(body.tell())
    body.seek(0)
    request._stream = body


def _read(stream: IO[bytes], *, limit: int, request: HttpRequest) -> bytes:
    try:
        announced = int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        announced = 0
    if announced > limit:
        raise BodyTooLarge(limit=limit)
    raw = stream.read(limit + 1)
    if len(raw) > limit:
        raise BodyTooLarge(limit=limit)
    return raw


REASONS = {
    "not_json": "The body is not valid JSON.",
    "duplicate_key": "A key occurs twice in one object.",
    "not_finite": "NaN and infinite numbers are not JSON.",
    "long_number": "A number has too many digits.",
}


class _Refused(ValueError):
    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise _Refused("duplicate_key")
    return value


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise _Refused("not_finite")
    return number


def _integer(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise _Refused("long_number")
    return int(digits)


def _constant(name: str) -> float:
    raise _Refused("not_finite")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique,
    parse_float=_finite,
    parse_int=_integer,
    parse_constant=_constant,
)
