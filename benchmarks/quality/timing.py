"""How long a save and a recall take, by stage, with real embedding."""

import time
from collections.abc import Callable, Sequence
from secrets import token_hex
from typing import Any

import numpy as np

from benchmarks.quality.agent import Agent
from benchmarks.quality.stores import Conversation, bodies

WARM = 5
"""Calls that are not counted, where there are more."""


def by_stage(agent: Agent, store: Conversation, texts: Sequence[str]) -> dict[str, Any]:
    """Return medians in ms of the whole call and of the server's stages.

    One call at a time, for an owner who holds `store`. A mark in each text makes sure
    that nobody has its vector yet.
    """
    agent.save(bodies(store.memories, "timing", category="fact"))
    marked = [f"{text} ({token_hex(3)})" for text in texts]

    def save(text: str) -> None:
        source = {"kind": "user_input", "name": "user"}
        body = {"owner_id": "timing", "content": text, "category": "fact"}
        agent.post("save", body | {"source": source})

    return {
        "save": _medians(agent, save, marked),
        "recall": _medians(agent, lambda text: agent.recall("timing", text), marked),
    }


def _medians(
    agent: Agent, work: Callable[[str], object], texts: Sequence[str]
) -> dict[str, float]:
    agent.timings.clear()
    whole = []
    for text in texts:
        begun = time.perf_counter()
        work(text)
        whole.append((time.perf_counter() - begun) * 1_000)
    warm = min(WARM, len(texts) - 1)
    stages = agent.timings[warm:]
    names = dict.fromkeys(name for one in stages for name in one)
    medians = {
        name: round(float(np.median([one.get(name, 0.0) for one in stages])), 2)
        for name in names
    }
    return {"whole": round(float(np.median(whole[warm:])), 2), **medians}
