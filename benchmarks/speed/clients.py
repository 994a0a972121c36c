"""Load over HTTP: clients in processes of their own, each with one connection."""

import json
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPConnection
from itertools import cycle
from multiprocessing import get_context

import numpy as np

PROCESSES = 4


@dataclass(frozen=True)
class Call:
    """One request; GET without a body."""

    path: str
    body: Mapping[str, object] | None = None


@dataclass
class Taken:
    """Milliseconds of every call, and what the server said of its stages."""

    milliseconds: list[float] = field(default_factory=list)
    stages: list[dict[str, float]] = field(default_factory=list)
    seconds: float = 0.0

    def summary(self) -> dict[str, float]:
        """Return p50, p95, p99 and calls a second."""
        p50, p95, p99 = np.percentile(self.milliseconds, [50, 95, 99])
        return {
            "p50_ms": round(float(p50), 3),
            "p95_ms": round(float(p95), 3),
            "p99_ms": round(float(p99), 3),
            "per_second": round(len(self.milliseconds) / self.seconds, 1),
            "calls": len(self.milliseconds),
        }

    def stage_medians(self) -> dict[str, float]:
        """Return the median milliseconds of each stage."""
        names = dict.fromkeys(name for stages in self.stages for name in stages)
        return {
            name: round(float(np.median([s.get(name, 0.0) for s in self.stages])), 3)
            for name in names
        }


class Client:
    """One kept connection with one token."""

    def __init__(self, port: int, token: str) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=600)
        self._headers = {
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
        }

    def close(self) -> None:
        """End the connection."""
        self._connection.close()

    def send(self, call: Call) -> tuple[bytes, str]:
        """Return the answer's body and its `Server-Timing`; SystemExit on a refusal."""
        body = None if call.body is None else json.dumps(call.body).encode()
        method = "GET" if body is None else "POST"
        self._connection.request(method, call.path, body, self._headers)
        response = self._connection.getresponse()
        answer = response.read()
        if response.status >= 300:
            raise SystemExit(f"{call.path}: {response.status} {answer[:300]!r}")
        return answer, response.headers.get("Server-Timing", "")


def one_by_one(port: int, token: str, calls: Sequence[Call]) -> Taken:
    """Send all calls over one connection."""
    taken = _send(port, token, list(calls), deadline=float("inf"))
    taken.seconds = sum(taken.milliseconds) / 1_000
    return taken


def together(
    port: int, token: str, calls: Sequence[Call], *, clients: int, seconds: float
) -> Taken:
    """Let `clients` send calls for some seconds, over and over if need be."""
    shares = [list(calls[n::clients]) for n in range(clients)]
    groups = [shares[n::PROCESSES] for n in range(min(PROCESSES, clients))]
    whole = Taken()
    with get_context("spawn").Pool(len(groups)) as pool:
        pool.map(_nothing, range(len(groups)))
        begun = time.perf_counter()
        work = [(port, token, group, seconds) for group in groups]
        for part in pool.starmap(_group, work):
            whole.milliseconds += part.milliseconds
            whole.stages += part.stages
        whole.seconds = time.perf_counter() - begun
    return whole


def _nothing(_: int) -> None:
    """Make a process start before the clock does."""


def _group(port: int, token: str, shares: list[list[Call]], seconds: float) -> Taken:
    deadline = time.perf_counter() + seconds
    whole = Taken()
    with ThreadPoolExecutor(len(shares)) as threads:
        for part in threads.map(lambda s: _send(port, token, s, deadline), shares):
            whole.milliseconds += part.milliseconds
            whole.stages += part.stages
    return whole


def _send(port: int, token: str, calls: list[Call], deadline: float) -> Taken:
    client, taken = Client(port, token), Taken()
    repeated = cycle(calls) if deadline < float("inf") else iter(calls)
    for call in repeated:
        before = time.perf_counter()
        if before > deadline:
            break
        _, timing = client.send(call)
        taken.milliseconds.append((time.perf_counter() - before) * 1_000)
        taken.stages.append(_stages(timing))
    return taken


def _stages(timing: str) -> dict[str, float]:
    parts = [part.split(";dur=") for part in timing.split(", ") if part]
    return {name: float(spent) for name, spent in parts}
