"""The shipped classifier: a linear model and boosted trees, averaged, in numpy."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory_core.contracts.relation import RelationKind

KINDS: tuple[RelationKind, ...] = ("duplicate", "supersede", "refines", "distinct")
WEIGHTS = Path(__file__).parent / "weights" / "relation.json"

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Linear:
    """A multinomial logistic regression; ``matrix`` is (kinds, features)."""

    matrix: Floats
    intercept: Floats

    def probabilities(self, rows: Floats) -> Floats:
        """Probabilities, (n, kinds), of raw feature rows, (n, features)."""
        return _softmax(rows @ self.matrix.T + self.intercept)


@dataclass(frozen=True)
class Trees:
    """Boosted regression trees on the logits of the kinds.

    The arrays are (kinds, rounds, nodes). A leaf is its own left and right child, so
    ``depth`` steps from the root end in a leaf from everywhere.
    """

    start: Floats
    rate: float
    depth: int
    feature: NDArray[np.int64]
    threshold: Floats
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    value: Floats

    def probabilities(self, rows: Floats) -> Floats:
        """Probabilities, (n, kinds), of raw feature rows, (n, features)."""
        count, nodes = len(rows), self.feature.shape[-1]
        trees = self.feature.size // nodes
        base = np.arange(trees) * nodes
        feature, threshold = self.feature.ravel(), self.threshold.ravel()
        left, right = self.left.ravel(), self.right.ravel()
        at = np.broadcast_to(base, (count, trees))
        index = np.arange(count)[:, None]
        for _ in range(self.depth):
            goes_left = rows[index, feature[at]] <= threshold[at]
            at = base + np.where(goes_left, left[at], right[at])
        leaves = self.value.ravel()[at].reshape(count, len(self.start), -1)
        return _softmax(self.start + self.rate * leaves.sum(axis=2))


@dataclass(frozen=True)
class Weights:
    """Everything the judge needs, as read from the weights file."""

    version: str
    features: tuple[str, ...]
    linear: Linear
    trees: Trees
    scales: Mapping[str, tuple[float, float]]
    thresholds: Mapping[str, float]
    curves: Mapping[str, Any]

    def probabilities(self, rows: Floats) -> Floats:
        """Probabilities of ``KINDS``, (n, 4), of feature rows, (n, features)."""
        both = self.linear.probabilities(rows) + self.trees.probabilities(rows)
        mean: Floats = both / 2.0
        return mean

    def row(self, features: Mapping[str, float]) -> list[float]:
        """One pair's features in the order of the weights."""
        return [features[name] for name in self.features]


def _softmax(logits: Floats) -> Floats:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    result: Floats = powers / powers.sum(axis=1, keepdims=True)
    return result


def parse(stored: Mapping[str, Any]) -> Weights:
    """Weights from the JSON document that training writes."""
    linear, trees = stored["linear"], stored["trees"]
    return Weights(
        version=stored["version"],
        features=tuple(stored["features"]),
        linear=Linear(np.array(linear["matrix"]), np.array(linear["intercept"])),
        trees=Trees(
            start=np.array(trees["start"]),
            rate=trees["rate"],
            depth=trees["depth"],
            feature=np.array(trees["feature"], dtype=np.int64),
            threshold=np.array(trees["threshold"]),
            left=np.array(trees["left"], dtype=np.int64),
            right=np.array(trees["right"], dtype=np.int64),
            value=np.array(trees["value"]),
        ),
        scales={k: (v[0], v[1]) for k, v in stored["scales"].items()},
        thresholds=stored["thresholds"],
        curves=stored.get("curves", {}),
    )


@cache
def weights() -> Weights:
    """The shipped weights, read once per process."""
    return parse(json.loads(WEIGHTS.read_text(encoding="utf-8")))


def as_rows(trained: Weights, pairs: Sequence[Mapping[str, float]]) -> Floats:
    """Feature rows, (n, features), in the order of the weights."""
    rows: Floats = np.array([trained.row(p) for p in pairs], dtype=np.float64)
    return rows.reshape(len(pairs), len(trained.features))
