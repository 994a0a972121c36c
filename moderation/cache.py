"""The cache of the sign-in limits: shared in Valkey, per process while that is down."""

from collections.abc import Callable
from typing import Any

import redis
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache

TIMEOUT_SECONDS = 0.5


class SharedCache(RedisCache):
    """Keeps counting in this process when the server does not answer."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        options = params.setdefault("OPTIONS", {})
        options.setdefault("socket_timeout", TIMEOUT_SECONDS)
        options.setdefault("socket_connect_timeout", TIMEOUT_SECONDS)
        super().__init__(server, params)
        self._own = LocMemCache("sign-in", {})

    def get(self, key: str, *args: Any, **options: Any) -> Any:
        return self._try("get", key, *args, **options)

    def add(self, key: str, *args: Any, **options: Any) -> bool:
        return bool(self._try("add", key, *args, **options))

    def set(self, key: str, *args: Any, **options: Any) -> None:
        self._try("set", key, *args, **options)

    def delete(self, key: str, *args: Any, **options: Any) -> bool:
        return bool(self._try("delete", key, *args, **options))

    def _try(self, verb: str, *args: Any, **options: Any) -> Any:
        shared: Callable[..., Any] = getattr(super(), verb)
        try:
            return shared(*args, **options)
        except redis.RedisError:
            return getattr(self._own, verb)(*args, **options)
