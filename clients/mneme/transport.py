"""HTTP to the service: pooled connections, time-outs, retries where they are safe."""

from __future__ import annotations

import functools
import random
import ssl
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx

from mneme.errors import NotFound, Refused, Unavailable

ATTEMPTS = 3
FIRST_PAUSE = 0.2  # seconds; doubles, with up to a half of jitter
LONGEST_PAUSE = 10.0  # seconds; a longer Retry-After is left to the caller
TIMEOUT = httpx.Timeout(30.0, connect=3.0)
LONG_TIMEOUT = httpx.Timeout(300.0, connect=3.0)  # of a request with many lines

# The request did not reach the service, so trying again repeats nothing.
_UNSENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
# The service says that it did not carry out the request.
_NOT_DONE = {429, 503}
# Something between us and the service failed; the request may have been carried out.
_UNKNOWN = {502, 504}

# Query parameters in order; a name may occur more than once.
Params = list[tuple[str, str | int | float | bool | None]]


class Transport:
    """Calls to one service with one token. Safe to share between threads."""

    def __init__(
        self,
        base_url: str,
        token: str,
        *,
        timeout: httpx.Timeout | float = TIMEOUT,
        attempts: int = ATTEMPTS,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        headers = {"Accept": "application/json", "User-Agent": "mneme-client"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        self._base_url = base_url
        self._client = httpx.Client(
            base_url=base_url, headers=headers, timeout=timeout, verify=_tls()
        )
        self._attempts = attempts
        self._pause = pause

    def call(
        self,
        method: str,
        path: str,
        *,
        repeatable: bool,
        body: Mapping[str, Any] | None = None,
        lines: bytes | None = None,
        params: Params | None = None,
        key: str | None = None,
    ) -> dict[str, Any]:
        """Return the answer's JSON object.

        `repeatable` says that a second arrival of the same request changes nothing.
        Raises `Refused` or `NotFound` for a 4xx, `Unavailable` for anything that may
        be better later.
        """
        headers = {"Idempotency-Key": key} if key else {}
        if lines is not None:
            headers["Content-Type"] = "application/x-ndjson"
        usual = lines is None
        request = self._client.build_request(
            method,
            path,
            json=body,
            content=lines,
            params=params,
            headers=headers,
            timeout=httpx.USE_CLIENT_DEFAULT if usual else LONG_TIMEOUT,
        )
        return _json(self._send(request, repeatable), request)

    @contextmanager
    def stream(self, path: str, params: Params) -> Iterator[Iterator[str]]:
        """Give the lines of a long answer as they come."""
        with self.stream_bytes(path, params) as pieces:
            yield _lines(pieces)

    @contextmanager
    def stream_bytes(self, path: str, params: Params) -> Iterator[Iterator[bytes]]:
        """Give the bytes of a long answer as they come."""
        request = self._client.build_request(
            "GET", path, params=params, headers={"Accept": "application/x-ndjson"}
        )
        try:
            response = self._client.send(request, stream=True)
            try:
                if response.status_code >= 400:
                    response.read()
                    _raise_for(response, request)
                yield response.iter_bytes()
            finally:
                response.close()
        except httpx.TransportError as error:
            raise Unavailable(_says(request, error)) from error

    def close(self) -> None:
        self._client.close()

    def _send(self, request: httpx.Request, repeatable: bool) -> httpx.Response:
        for attempt in range(1, self._attempts + 1):
            last = attempt == self._attempts
            wait: float | None
            try:
                response = self._client.send(request)
            except httpx.TransportError as error:
                if last or not (repeatable or isinstance(error, _UNSENT)):
                    raise Unavailable(_says(request, error)) from error
                wait = _back_off(attempt)
            else:
                wait = _wait_after(response, attempt, repeatable)
                if last or wait is None:
                    return response
            self._pause(wait)
        raise AssertionError("the last attempt returns or raises")


def segment(identity: str) -> str:
    """Return an id as a segment of a path; `NotFound` for what is no id of a service.

    Ids come from language models and from files, and "../me" is another address.
    """
    try:
        return str(uuid.UUID(identity))
    except ValueError as error:
        raise NotFound("there is no such thing") from error


def _lines(pieces: Iterator[bytes]) -> Iterator[str]:
    """Yield lines that end with LF only: a text may hold every other separator."""
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\n")
        yield from (line.decode() for line in whole)
    if rest:
        yield rest.decode()


@functools.cache
def _tls() -> ssl.SSLContext:
    """Return one context for all clients; loading the certificates takes long."""
    return httpx.create_ssl_context()


def _wait_after(
    response: httpx.Response, attempt: int, repeatable: bool
) -> float | None:
    """Return the seconds to wait before the request may be sent again, if it may."""
    status = response.status_code
    if status not in _NOT_DONE and not (repeatable and status in _UNKNOWN):
        return None
    asked = response.headers.get("Retry-After", "")
    wait = float(asked) if asked.isdecimal() else _back_off(attempt)
    return wait if wait <= LONGEST_PAUSE else None


def _back_off(attempt: int) -> float:
    pause = FIRST_PAUSE * float(2 ** (attempt - 1))
    return pause * (1 + random.random() / 2)  # noqa: S311 - spreads clients, no secret


def _json(response: httpx.Response, request: httpx.Request) -> dict[str, Any]:
    if response.status_code >= 400:
        _raise_for(response, request)
    try:
        answer = response.json()
    except (ValueError, RecursionError) as error:
        raise Unavailable(f"{_name(request)}: the answer is not JSON") from error
    if not isinstance(answer, dict):
        raise Unavailable(f"{_name(request)}: the answer is not a JSON object")
    return answer


def _raise_for(response: httpx.Response, request: httpx.Request) -> None:
    problem = _problem(response)
    status = response.status_code
    detail = str(problem.get("detail") or problem.get("title") or "")
    request_id = str(problem.get("request_id") or "")
    if status >= 500 or status == 429:
        trail = f" [request {request_id}]" if request_id else ""
        raise Unavailable(f"{_name(request)} answered {status}: {detail}{trail}")
    if status == 404:
        raise NotFound(f"{_name(request)}: {detail or 'there is no such thing'}")
    raise Refused(
        _name(request),
        status=status,
        code=str(problem.get("code") or "error"),
        detail=detail,
        errors=[e for e in problem.get("errors") or () if isinstance(e, dict)],
        request_id=request_id,
    )


def _problem(response: httpx.Response) -> dict[str, Any]:
    try:
        problem = response.json()
    except (ValueError, RecursionError):
        return {"detail": response.reason_phrase}
    return problem if isinstance(problem, dict) else {}


def _says(request: httpx.Request, error: Exception) -> str:
    reason = str(error) or type(error).__name__
    return f"{_name(request)} at {request.url.host}: {reason}"


def _name(request: httpx.Request) -> str:
    return f"{request.method} {request.url.path}"
