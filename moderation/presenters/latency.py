"""How long agents wait for an answer, from the counts that Prometheus is given."""

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from prometheus_client import REGISTRY, CollectorRegistry, multiprocess
from prometheus_client.metrics_core import Metric

FAMILY = "mneme_http_seconds"
ROUTES = {
    "/v1/memory/recall": "recall",
    "/v1/memory/save": "save",
    "/v1/memory/forget": "forget",
}


@dataclass(frozen=True, slots=True)
class Latency:
    """One operation: how many answers, and within which milliseconds they came."""

    operation: str
    count: int
    median: str
    p95: str


def latencies() -> list[Latency]:
    """Return the operations that were asked since the service was started."""
    found: dict[str, dict[float, float]] = defaultdict(lambda: defaultdict(float))
    for route, bound, count in _buckets():
        if route in ROUTES:
            found[ROUTES[route]][bound] += count
    return [
        Latency(
            operation,
            int(max(buckets.values())),
            within(buckets, 0.5),
            within(buckets, 0.95),
        )
        for operation, buckets in sorted(found.items())
    ]


def within(buckets: Mapping[float, float], share: float) -> str:
    """Return the bound under which a share of the answers came, as text.

    `buckets` hold cumulated counts by their upper bound in seconds.
    """
    wanted = share * max(buckets.values())
    bound = next(b for b, count in sorted(buckets.items()) if count >= wanted)
    if bound == float("inf"):
        largest = sorted(buckets)[-2]
        return f"> {largest * 1000:.0f} ms"
    return f"≤ {bound * 1000:.0f} ms"


def _buckets() -> Iterator[tuple[str, float, float]]:
    for family in _collected():
        if family.name != FAMILY:
            continue
        for sample in family.samples:
            if sample.name.endswith("_bucket"):
                labels = sample.labels
                yield labels["route"], float(labels["le"]), sample.value


def _collected() -> Iterator[Metric]:
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        yield from REGISTRY.collect()
        return
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    yield from registry.collect()
