"""Fitting the judge of relations. Needs scikit-learn; judging does not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory_core.saving.relation.features import compare
from memory_core.saving.relation.labelled import LabelledPair, folds
from memory_core.saving.relation.model import KINDS, Floats, Weights, parse
from memory_core.saving.relation.normal import normalise
from memory_core.saving.relation.reading import Reading, read
from memory_core.saving.relation.scales import Embed, Scale, scaled, unit

_DIGITS = 6


@dataclass(frozen=True)
class Settings:
    """How the two models are fitted."""

    regularisation: float = 0.5
    rounds: int = 240
    rate: float = 0.06
    depth: int = 4
    seed: int = 0


@dataclass(frozen=True)
class Examples:
    """Feature rows by embedding model ("" for none), labels and weights of pairs."""

    names: tuple[str, ...]
    rows: Mapping[str, Floats]
    labels: NDArray[np.int64]
    weights: Floats

    def subset(self, keep: NDArray[np.bool_]) -> Examples:
        """The examples of some of the pairs."""
        rows = {name: found[keep] for name, found in self.rows.items()}
        return Examples(self.names, rows, self.labels[keep], self.weights[keep])


def examples(
    pairs: Sequence[LabelledPair], models: Mapping[str, tuple[Embed, Scale]]
) -> Examples:
    """Features of pairs as each model sees them, and as they look without vectors."""
    texts = list(dict.fromkeys(t for p in pairs for t in (p.old, p.new)))
    readings = {text: read(text) for text in texts}
    names, rows = _rows(pairs, readings, [None] * len(pairs))
    by_model = {"": rows}
    for name, (embed, scale) in models.items():
        vectors = dict(zip(texts, unit(embed(texts)), strict=True))
        cosines = [float(vectors[p.old] @ vectors[p.new]) for p in pairs]
        by_model[name] = _rows(pairs, readings, [scaled(c, scale) for c in cosines])[1]
    return Examples(
        names,
        by_model,
        np.array([KINDS.index(p.kind) for p in pairs]),
        np.array([p.weight for p in pairs]),
    )


def _rows(
    pairs: Sequence[LabelledPair],
    readings: Mapping[str, Reading],
    similarities: Sequence[float | None],
) -> tuple[tuple[str, ...], Floats]:
    found = [
        compare(readings[p.old], readings[p.new], s)
        for p, s in zip(pairs, similarities, strict=True)
    ]
    names = tuple(found[0])
    return names, np.array([[f[n] for n in names] for f in found])


def fit(
    data: Examples,
    scales: Mapping[str, Scale],
    *,
    version: str,
    thresholds: Mapping[str, float],
    settings: Settings | None = None,
) -> dict[str, Any]:
    """The weights document fitted to examples, as ``model.parse`` reads it.

    Each pair is seen through one of the embedding models, in turn, or without vectors,
    so that the judge does not lean on one model's cosine. Raises ValueError if a kind
    has no example.
    """
    if len(np.unique(data.labels)) < len(KINDS):
        raise ValueError("training needs examples of every kind of relation")
    chosen = settings or Settings()
    rows, labels, weights = _views(data), data.labels, data.weights
    return {
        "version": version,
        "features": list(data.names),
        "linear": _linear(rows, labels, weights, chosen),
        "trees": _trees(rows, labels, weights, chosen),
        "scales": {name: list(scale) for name, scale in scales.items()},
        "thresholds": dict(thresholds),
    }


def _views(data: Examples) -> Floats:
    """One row for each pair: every eighth without vectors, the others in turn."""
    models = [name for name in data.rows if name] or [""]
    rows = data.rows[""].copy()
    for i in range(len(rows)):
        if i % 8:
            rows[i] = data.rows[models[i % len(models)]][i]
    return rows


def _linear(
    rows: Floats, labels: NDArray[np.int64], weights: Floats, settings: Settings
) -> dict[str, Any]:
    from sklearn.linear_model import LogisticRegression

    mean, spread = rows.mean(axis=0), rows.std(axis=0)
    spread[spread < 1e-9] = 1.0
    model = LogisticRegression(C=settings.regularisation, max_iter=3000)
    model.fit((rows - mean) / spread, labels, sample_weight=weights)
    matrix = model.coef_ / spread
    intercept = model.intercept_ - matrix @ mean
    return {
        "matrix": np.round(matrix, _DIGITS).tolist(),
        "intercept": np.round(intercept, _DIGITS).tolist(),
    }


def _trees(
    rows: Floats, labels: NDArray[np.int64], weights: Floats, settings: Settings
) -> dict[str, Any]:
    from sklearn.ensemble import GradientBoostingClassifier

    model = GradientBoostingClassifier(
        n_estimators=settings.rounds,
        learning_rate=settings.rate,
        max_depth=settings.depth,
        subsample=0.7,
        max_features=0.3,
        min_samples_leaf=6,
        random_state=settings.seed,
    )
    model.fit(rows, labels, sample_weight=weights)
    nodes = 2 ** (settings.depth + 1) - 1
    parts = [
        [_tree(model.estimators_[r, k].tree_, nodes) for r in range(settings.rounds)]
        for k in range(len(KINDS))
    ]
    names = ("feature", "threshold", "left", "right", "value")
    stacked = {
        n: [[tree[i] for tree in of_kind] for of_kind in parts]
        for i, n in enumerate(names)
    }
    start = model._raw_predict_init(rows[:1].astype(np.float32))[0]
    return {
        "start": np.round(start, _DIGITS).tolist(),
        "rate": settings.rate,
        "depth": settings.depth,
        **stacked,
    }


def _tree(tree: Any, nodes: int) -> tuple[list[Any], ...]:
    """A fitted tree as padded lists in which leaves lead to themselves."""
    count = tree.node_count
    leaf = tree.children_left < 0
    itself = np.arange(count)

    def padded(values: Any, digits: int | None = None) -> list[Any]:
        kept = np.round(values, digits) if digits else values
        filled = np.concatenate([kept, np.zeros(nodes - count, kept.dtype)])
        return list(filled.tolist())

    return (
        padded(np.where(leaf, 0, tree.feature)),
        padded(np.where(leaf, 0.0, tree.threshold), _DIGITS),
        padded(np.where(leaf, itself, tree.children_left)),
        padded(np.where(leaf, itself, tree.children_right)),
        padded(np.where(leaf, tree.value[:, 0, 0], 0.0), _DIGITS),
    )


def cross_validate(
    pairs: Sequence[LabelledPair],
    extra: Sequence[LabelledPair],
    models: Mapping[str, tuple[Embed, Scale]],
    *,
    count: int = 5,
    settings: Settings | None = None,
) -> dict[str, Floats]:
    """Probabilities, (n, kinds), by model, from weights that never saw the scenario.

    See ``fold_weights``.
    """
    data = examples(pairs, models)
    result = {name: np.zeros((len(pairs), len(KINDS))) for name in data.rows}
    for held, trained in fold_weights(pairs, extra, models, count, settings):
        for name, found in result.items():
            found[held] = trained.probabilities(data.rows[name][held])
    return result


def fold_weights(
    pairs: Sequence[LabelledPair],
    extra: Sequence[LabelledPair],
    models: Mapping[str, tuple[Embed, Scale]],
    count: int = 5,
    settings: Settings | None = None,
) -> Iterator[tuple[NDArray[np.bool_], Weights]]:
    """Each fold as a mask over the pairs, with weights that never saw its scenarios.

    ``extra`` pairs train every fold, except where they share a text with it.
    """
    of_pair = np.array(folds(pairs, count))
    data, more = examples(pairs, models), examples(extra, models)
    texts = [{normalise(p.old), normalise(p.new)} for p in extra]
    for fold in range(count):
        held = of_pair == fold
        hidden = {
            normalise(text)
            for pair, out in zip(pairs, held, strict=True)
            if out
            for text in (pair.old, pair.new)
        }
        keep = np.array([not (t & hidden) for t in texts], dtype=bool)
        seen = joined(data.subset(~held), more.subset(keep))
        yield held, trained_weights(seen, models, settings)


def joined(first: Examples, second: Examples) -> Examples:
    """The examples of both."""
    rows = {n: np.vstack([first.rows[n], second.rows[n]]) for n in first.rows}
    return Examples(
        first.names,
        rows,
        np.concatenate([first.labels, second.labels]),
        np.concatenate([first.weights, second.weights]),
    )


def trained_weights(
    data: Examples,
    models: Mapping[str, tuple[Embed, Scale]],
    settings: Settings | None = None,
) -> Weights:
    """Weights for a fold, with no thresholds of their own."""
    scales = {name: scale for name, (_, scale) in models.items()}
    return parse(fit(data, scales, version="fold", thresholds={}, settings=settings))
