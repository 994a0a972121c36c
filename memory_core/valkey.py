"""The connection to Valkey (or Redis): short waits, and none while it is down."""

import time
from collections.abc import Sequence
from functools import cache
from threading import Lock
from typing import Any

import redis
from django.conf import settings

TIMEOUT_SECONDS = 0.5
PAUSE_SECONDS = 1.0  # how long a server that did not answer is left alone

Unavailable = redis.RedisError

_lock = Lock()
_down_until = 0.0


@cache
def client() -> redis.Redis:
    """Return this process's client; its calls raise `Unavailable`."""
    return redis.Redis.from_url(
        settings.REDIS_URL,
        socket_timeout=TIMEOUT_SECONDS,
        socket_connect_timeout=TIMEOUT_SECONDS,
        retry=None,
    )


def read(key: str) -> bytes | None:
    """Return the bytes under `key`, None if there are none; raises `Unavailable`."""
    value: bytes | None = client().get(key)  # type: ignore[assignment]
    return value


def append(key: str, value: bytes) -> int:
    """Put `value` at the end of a list and return its length; raises `Unavailable`."""
    length: int = client().rpush(key, value)
    return length


def keep_last(key: str, count: int) -> None:
    """Cut a list to its last `count` entries; raises `Unavailable`."""
    client().ltrim(key, -count, -1)


def run(script: str, keys: Sequence[str], values: Sequence[str | int]) -> Any:
    """Return what a Lua script gives; raises `Unavailable`."""
    return client().eval(script, len(keys), *keys, *values)


def is_resting() -> bool:
    """Return whether the server failed a moment ago, so that a call would only wait."""
    return time.monotonic() < _down_until


def rest() -> None:
    """Remember that the server did not answer just now."""
    global _down_until
    with _lock:
        _down_until = time.monotonic() + PAUSE_SECONDS
