"""Numbers for Prometheus, without owners, namespaces or any text.

With PROMETHEUS_MULTIPROC_DIR in the environment (the supervisor sets it) the counts of
all processes are summed; without it they are those of the answering process.
"""

import os

from django.http import HttpRequest
from prometheus_client import REGISTRY as OWN_PROCESS
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    generate_latest,
    multiprocess,
)

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

ANSWERS = Counter(
    "mneme_http_answers", "Answers by route and status", ["method", "route", "status"]
)
DURATION = Histogram(
    "mneme_http_seconds", "Seconds to an answer", ["method", "route"], buckets=SECONDS
)
LIMITED = Counter("mneme_rate_limited", "Requests refused by a rate limit", ["by"])
LIMITS_LOCAL = Counter(
    "mneme_rate_limits_local", "Limits kept in the process, as the queue was down"
)
METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})


def count(request: HttpRequest, status: int, *, seconds: float) -> None:
    """Count a request that was answered, and how long that took."""
    match = request.resolver_match
    route = f"/{match.route}" if match else "unknown"
    method = request.method if request.method in METHODS else "other"
    ANSWERS.labels(method, route, str(status)).inc()
    DURATION.labels(method, route).observe(seconds)


def exposition() -> bytes:
    """Return everything counted so far in Prometheus' text format."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest(OWN_PROCESS)
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)
