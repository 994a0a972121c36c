"""Distinct pairs made of statements that have nothing to do with each other.

A store of short facts is full of them, and a statement that says that something
changed must not replace just any.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from memory_core.saving.relation.labelled import LabelledPair, groups
from memory_core.saving.relation.reading import read
from memory_core.saving.relation.scales import Embed, unit

_NEAREST = 24
_TOO_NEAR = 0.93
_SEED = 7


def strangers(
    pairs: Sequence[LabelledPair], embed: Embed, *, count: int = 1, weight: float = 0.3
) -> list[LabelledPair]:
    """Each new statement of the pairs beside old ones of other scenarios.

    ``count`` of the nearest and as many others of the same language for each; never
    two that state a value of one attribute, since these may replace each other.
    """
    grouped = list(zip(pairs, groups(pairs), strict=True))
    group = {p.old: (g, p.language) for p, g in grouped}
    news = {p.new: (g, p.language) for p, g in grouped}
    olds = list(group)
    vectors = unit(embed(olds))
    chance = random.Random(_SEED)  # noqa: S311
    found: list[LabelledPair] = []
    for text, vector in zip(news, unit(embed(list(news))), strict=True):
        own, spoken = news[text]
        cosines = vectors @ vector
        order = [int(i) for i in np.argsort(-cosines)]
        others = [
            olds[i]
            for i in order
            if group[olds[i]][0] != own
            and group[olds[i]][1] == spoken
            and cosines[i] < _TOO_NEAR
        ]
        chosen = _unrelated(others[:_NEAREST], text, count)
        chosen += _unrelated(chance.sample(others, min(9, len(others))), text, count)
        found += [LabelledPair(old, text, "distinct", weight=weight) for old in chosen]
    return found


def _unrelated(olds: Sequence[str], new: str, count: int) -> list[str]:
    """The first few that share no attribute with a statement."""
    single = read(new).single
    return [old for old in olds if not read(old).single & single][:count]
