"""An agent that speaks to the measured service over HTTP."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from benchmarks.speed.clients import Call, Client

BATCH = 50
"""Memories in a request: of 200, beside other work, some were not answered in time."""
AT_ONCE = 3
Body = Mapping[str, Any]
Given = TypeVar("Given")
Found = TypeVar("Found")


@dataclass
class Agent:
    """One connection with one token; `timings` has the server's stages, in ms."""

    port: int
    token: str
    timings: list[dict[str, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._client = Client(self.port, self.token)

    def close(self) -> None:
        """End the connection."""
        self._client.close()

    def save(self, bodies: Sequence[Body]) -> list[dict[str, Any]]:
        """Save in batches; return one answer or problem for each, in order."""
        results: list[dict[str, Any]] = []
        for start in range(0, len(bodies), BATCH):
            items = bodies[start : start + BATCH]
            results += self.post("save/batch", {"items": list(items)})["results"]
        return results

    def recall(self, owner_id: str, query: str, **more: Any) -> list[dict[str, Any]]:
        """Return the memories that a recall finds, best first."""
        body = {"owner_id": owner_id, "query": query[:1000], **more}
        found: list[dict[str, Any]] = self.post("recall", body)["memories"]
        return found

    def post(self, verb: str, body: Body) -> dict[str, Any]:
        """Return the answer of `/v1/memory/<verb>`; SystemExit on a refusal."""
        answer, timing = self._client.send(Call(f"/v1/memory/{verb}", body))
        parts = [part.split(";dur=") for part in timing.split(", ") if part]
        self.timings.append({name: float(spent) for name, spent in parts})
        found: dict[str, Any] = json.loads(answer)
        return found


@dataclass(frozen=True)
class Agents:
    """Makes agents of one token."""

    port: int
    token: str

    @contextmanager
    def one(self) -> Iterator[Agent]:
        """Give an agent with a connection of its own."""
        agent = Agent(self.port, self.token)
        try:
            yield agent
        finally:
            agent.close()

    def each(
        self, work: Callable[[Agent, Given], Found], things: Iterable[Given]
    ) -> list[Found]:
        """Do `work` with an agent for each thing, some at once; results in order."""

        def alone(thing: Given) -> Found:
            with self.one() as agent:
                return work(agent, thing)

        with ThreadPoolExecutor(AT_ONCE) as threads:
            return list(threads.map(alone, things))
