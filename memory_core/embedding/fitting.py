"""A calibration for a model that nobody measured yet."""

import json
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from memory_core.embedding.calibration import Calibration
from memory_core.embedding.protocol import Embedder
from memory_core.embedding.texts import is_unspaced

Floats = NDArray[np.float64]

NEAREST = 3
"""Wrong memories a question that count: those that a search would put first."""
PRIOR = 0.002
"""Precision of the prior on the slope, for groups that weigh 1 together."""


@cache
def generic_pairs() -> list[tuple[str, str]]:
    """Questions in Chinese and English, and the memory that answers each.

    The second half asks and says the same as the first, in the other language.
    """
    text = (files(__package__) / "generic_pairs.jsonl").read_text("utf-8")
    rows = (json.loads(line) for line in text.splitlines() if line)
    return [(row["query"], row["memory"]) for row in rows]


def calibrate(embedder: Embedder) -> Calibration:
    """A calibration for any model, from 120 short texts that it embeds once.

    Each question has one memory that answers it in its own language and one in the
    other; the nearest of the rest stand for what a store offers beside it. Raises
    EmbedderUnavailable.
    """
    pairs = generic_pairs()
    queries = embedder.embed_queries([query for query, _ in pairs])
    passages = embedder.embed_passages([memory for _, memory in pairs])
    cosine = np.asarray(queries @ passages.T, dtype=np.float64)
    unspaced = np.array([is_unspaced(query) for query, _ in pairs])
    half = len(pairs) // 2
    samples = [
        contrast(cosine[:half, :half]),
        contrast(cosine[half:, half:]),
        contrast(np.concatenate([cosine[:half, half:], cosine[half:, :half]])),
    ]
    first, second, across, slope = fit(samples)
    midpoints = {bool(unspaced[0]): first, bool(unspaced[-1]): second}
    return Calibration(midpoints[False], midpoints[True], across, slope)


def contrast(cosine: Floats) -> tuple[Floats, Floats]:
    """(cosines of every question's own memory, of the nearest others)."""
    own = np.zeros(cosine.shape, dtype=bool)
    rows = np.arange(len(cosine))
    own[rows, rows % cosine.shape[1]] = True
    others = np.where(own, -np.inf, cosine)
    return cosine[own], np.sort(others, axis=1)[:, -NEAREST:].ravel()


def fit(samples: list[tuple[Floats, Floats]]) -> tuple[float, ...]:
    """Midpoint of every sample (cosines of relevant, of irrelevant), and the one slope.

    The logistic that tells them apart. Both sides of every sample weigh the same, so
    the midpoint is where either is as likely. Newton's method; a weak Gaussian prior
    on the slope keeps it finite where the sides do not overlap.
    """
    cosine = np.concatenate([side for sample in samples for side in sample])
    sizes = [len(side) for sample in samples for side in sample]
    label = np.repeat([1.0, 0.0] * len(samples), sizes)
    weight = np.repeat([0.5 / size / len(samples) for size in sizes], sizes)
    centre, spread = cosine.mean(), cosine.std() + 1e-9
    kind = np.repeat(np.arange(len(samples)).repeat(2), sizes)
    design = np.column_stack([np.eye(len(samples))[kind], (cosine - centre) / spread])
    *intercepts, slope = newton(design, label, weight)
    return (
        *(float(centre - at / slope * spread) for at in intercepts),
        float(slope / spread),
    )


def newton(design: Floats, label: Floats, weight: Floats) -> Floats:
    """Coefficients of the weighted logistic regression of `label` on `design`."""
    prior = np.diag([0.0] * (design.shape[1] - 1) + [PRIOR])
    solution = np.zeros(design.shape[1])
    for _ in range(50):
        p = 1.0 / (1.0 + np.exp(-design @ solution))
        gradient = design.T @ (weight * (p - label)) + prior @ solution
        hessian = (design.T * (weight * p * (1 - p))) @ design + prior
        step = np.linalg.solve(hessian + 1e-9 * np.eye(len(hessian)), gradient)
        solution = solution - step
        if np.abs(step).max() < 1e-9:
            break
    return solution
