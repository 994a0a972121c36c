"""The parts of a run; each returns its share of the report."""

from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.quality import (
    changing,
    evidence,
    folds,
    held_out,
    insertion,
    moving,
    timing,
    variants,
)
from benchmarks.quality.agent import Agents
from benchmarks.quality.data import Data
from benchmarks.quality.vectors import passages_of

VARIED, TIMED = 60, 60
Part = Callable[[Data, Agents], dict[str, Any]]


def _recall(data: Data, agents: Agents) -> dict[str, Any]:
    return {store.name: evidence.measure(store, agents) for store in data.stores}


def _variants(data: Data, agents: Agents) -> dict[str, Any]:
    texts = list(dict.fromkeys(pair.old for pair in data.pairs))
    return variants.recognised(texts[:: max(1, len(texts) // VARIED)], agents)


def _insertion(data: Data, agents: Agents) -> dict[str, Any]:
    passages_of([text for pair in data.pairs for text in (pair.old, pair.new)])
    passages_of([memory["text"] for one in data.small for memory in one.memories])
    return insertion.insert(data.pairs, data.small, agents)


def _stages(data: Data, agents: Agents) -> dict[str, Any]:
    texts = list(dict.fromkeys(pair.new for pair in data.pairs))[:TIMED]
    with agents.one() as agent:
        return timing.by_stage(agent, data.small[0], texts)


def _pairs(data: Data, agents: Agents) -> dict[str, Any]:
    return folds.measure(data.pairs_folder, data.small) if data.pairs_folder else {}


def _held_out(data: Data, agents: Agents) -> dict[str, Any]:
    return held_out.measure()


PARTS: Mapping[str, Part] = {
    "recall": _recall,
    "variants": _variants,
    "insertion": _insertion,
    "stages": _stages,
    "pairs": _pairs,
    "held_out": _held_out,
    "moving": moving.measure,
    "changing": changing.measure,
}
QUICK = ("recall", "variants", "insertion", "stages")
