"""Rate limits: token buckets per token and per namespace, shared by all processes.

A bucket fills with N tokens a second up to a burst of 2 N, at least 200. The buckets
lie in Valkey; while it cannot be reached each process keeps its own, which limits a
caller to N a second in each of them.
"""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from threading import Lock

from redis import Redis
from redis.commands.core import Script
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from api import metrics
from memory_core import valkey
from memory_core.actions import limits
from memory_core.contracts.callers import Caller

SMALLEST_BURST = 200
FAILURES_A_SECOND = 100  # refused tokens of one address
LOCAL_BUCKETS = 50_000

TAKE = """
local time = redis.call('TIME')
local now = time[1] + time[2] / 1e6
local wait, short, levels = 0, 0, {}
for i, key in ipairs(KEYS) do
  local rate, burst = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1])
  local kept = redis.call('HMGET', key, 'n', 't')
  local level = tonumber(kept[1]) or burst
  local since = math.max(0, now - (tonumber(kept[2]) or now))
  levels[i] = math.min(burst, level + since * rate)
  local missing = (tonumber(ARGV[3 * i]) - levels[i]) / rate
  if missing > wait then wait, short = missing, i end
end
if short > 0 then return {short, tostring(wait)} end
for i, key in ipairs(KEYS) do
  local rate, burst = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1])
  redis.call('HSET', key, 'n', levels[i] - tonumber(ARGV[3 * i]), 't', now)
  redis.call('EXPIRE', key, math.ceil(burst / rate) + 1)
end
return {0, '0'}
"""


@dataclass(frozen=True, slots=True)
class Bucket:
    """What is limited (`kind` and `key`), by how many requests a second, and the cost
    of this request."""

    kind: str
    key: int | str
    rate: int
    cost: int = 1

    @property
    def burst(self) -> int:
        """The most that may be taken at once."""
        return max(2 * self.rate, SMALLEST_BURST)

    @property
    def name(self) -> str:
        """The key in Valkey."""
        return f"mneme:rate:{self.kind}:{self.key}"


class TokenLimit(BaseThrottle):
    """Charge one request to the token, before anything of its body is read."""

    def allow_request(self, request: Request, view: object) -> bool:
        """Return True, or raise Throttled (429)."""
        if isinstance(request.user, Caller):
            charge([of_token(request.user)])
        return True


def charge_items(by: Caller, namespaces: Mapping[int, int], *, items: int = 1) -> None:
    """Charge a request to its token and its namespaces (id -> cost there), in one go.

    `items` is its cost for the token. Raises Throttled; then nothing was charged.
    """
    rates = limits.namespace_rates(namespaces)
    buckets = [
        Bucket("namespace", key, rates[key], cost)
        for key, cost in sorted(namespaces.items())
        if key in rates
    ]
    charge([of_token(by, items), *buckets])


def of_token(by: Caller, cost: int = 1) -> Bucket:
    """Return the bucket of the caller's token."""
    return Bucket("token", by.token_id, by.rate, cost)


def charge_failure(address: str) -> None:
    """Charge a refused token to the address that it came from; raises Throttled."""
    charge([Bucket("failure", address, FAILURES_A_SECOND)])


def charge(buckets: Sequence[Bucket]) -> None:
    """Take the cost from all buckets, or raise Throttled and take it from none."""
    short, wait = _take(buckets)
    if short:
        metrics.LIMITED.labels(buckets[short - 1].kind).inc()
        raise Throttled(math.ceil(wait))


def _take(buckets: Sequence[Bucket]) -> tuple[int, float]:
    """Return (0, 0), or which bucket (from 1) is short and for how many seconds."""
    if not valkey.is_resting():
        try:
            return _take_shared(buckets)
        except valkey.Unavailable:
            valkey.rest()
    metrics.LIMITS_LOCAL.inc()
    return _local.take(buckets, now=time.monotonic())


def _take_shared(buckets: Sequence[Bucket]) -> tuple[int, float]:
    numbers = [
        n for bucket in buckets for n in (bucket.rate, bucket.burst, bucket.cost)
    ]
    script = _script(valkey.client())
    short, wait = script(keys=[bucket.name for bucket in buckets], args=numbers)
    return int(short), float(wait)


@cache
def _script(client: Redis) -> Script:
    return client.register_script(TAKE)


class LocalBuckets:
    """The same buckets in this process, for as long as the queue is down."""

    def __init__(self) -> None:
        self._levels: dict[str, tuple[float, float]] = {}
        self._lock = Lock()

    def take(self, buckets: Sequence[Bucket], *, now: float) -> tuple[int, float]:
        """Return (0, 0), or which bucket (from 1) is short and for how many seconds."""
        with self._lock:
            levels = [self._level(bucket, now) for bucket in buckets]
            waits = [
                (bucket.cost - level) / bucket.rate
                for bucket, level in zip(buckets, levels, strict=True)
            ]
            worst = max(range(len(waits)), key=waits.__getitem__)
            if waits[worst] > 0:
                return worst + 1, waits[worst]
            if len(self._levels) > LOCAL_BUCKETS:
                self._levels.clear()
            for bucket, level in zip(buckets, levels, strict=True):
                self._levels[bucket.name] = (level - bucket.cost, now)
        return 0, 0.0

    def _level(self, bucket: Bucket, now: float) -> float:
        level, since = self._levels.get(bucket.name, (float(bucket.burst), now))
        return min(bucket.burst, level + (now - since) * bucket.rate)


_local = LocalBuckets()
