"""What the cosine of two passages means to each embedding model."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from memory_core.contracts.relation import Vector
from memory_core.saving.relation.labelled import LabelledPair

Embed = Callable[[Sequence[str]], NDArray[np.floating]]
Scale = tuple[float, float]


def scaled(cosine: float, scale: Scale) -> float:
    """A cosine on the scale of its model, cut off at -0.5 and 1.5."""
    low, high = scale
    return min(1.5, max(-0.5, (cosine - low) / (high - low)))


def measure_scale(embed: Embed, pairs: Sequence[LabelledPair]) -> Scale:
    """What cosines of a model mean: the medians of distinct pairs and rewordings.

    Distinct are here statements of different scenarios, paired by position.
    """
    same = [p for p in pairs if p.kind == "duplicate" and p.old != p.new]
    olds, news = unit(embed([p.old for p in same])), unit(embed([p.new for p in same]))
    high = float(np.median(np.einsum("ij,ij->i", olds, news)))
    low = float(np.median(np.einsum("ij,ij->i", olds, np.roll(news, 7, axis=0))))
    return round(low, 4), round(high, 4)


def unit(vectors: Vector) -> NDArray[np.float32]:
    """Vectors with length 1."""
    found = np.asarray(vectors, dtype=np.float32)
    result: NDArray[np.float32] = found / np.linalg.norm(found, axis=1, keepdims=True)
    return result
