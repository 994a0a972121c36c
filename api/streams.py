"""Bodies that are read line by line while they arrive, with or without a length."""

from collections.abc import Iterator
from io import BufferedReader, RawIOBase
from typing import Any

from django.http import HttpRequest
from rest_framework.exceptions import UnsupportedMediaType

from api.parsers import check_encoding
from memory_core.snapshots.importing import bounded_lines

LINES = "application/x-ndjson"
BUFFER = 256 * 1024


class _Arriving(RawIOBase):
    """What a server gives as a body, as a raw stream."""

    def __init__(self, source: Any) -> None:
        self._source = source

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        read: bytes = self._source.read(len(buffer))
        buffer[: len(read)] = read
        return len(read)


def lines_of(request: HttpRequest) -> Iterator[bytes]:
    """Return the lines of a body of JSON lines; UnsupportedMediaType for another."""
    sent = request.META.get("CONTENT_TYPE", "")
    if sent.partition(";")[0].strip().lower() != LINES:
        raise UnsupportedMediaType(sent)
    check_encoding(request, sent)
    return bounded_lines(BufferedReader(_Arriving(_source(request)), BUFFER))


def _source(request: HttpRequest) -> Any:
    """Without a length Django sees no body; the server's own stream ends by itself."""
    is_chunked = not request.META.get("CONTENT_LENGTH")
    if is_chunked and request.META.get("wsgi.input_terminated"):
        return request.META["wsgi.input"]
    return request
