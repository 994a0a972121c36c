"""The whole course of training: which pairs, which models, what is measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory_core.saving.relation.callings import names_differ
from memory_core.saving.relation.evaluation import summary
from memory_core.saving.relation.labelled import LabelledPair, read_pairs
from memory_core.saving.relation.scales import Embed, measure_scale
from memory_core.saving.relation.scenarios import teaching_pairs
from memory_core.saving.relation.stores import beside, read_stores
from memory_core.saving.relation.strangers import strangers
from memory_core.saving.relation.training import (
    Settings,
    cross_validate,
    examples,
    fit,
)

THRESHOLDS = {"duplicate": 0.75, "supersede": 0.7}
FOLDS = 5
_EXTRA_WEIGHT = 0.5


@dataclass(frozen=True)
class Material:
    """What is learned from: labelled pairs, more pairs, and stores to stand beside."""

    labelled: list[LabelledPair]
    extra: list[LabelledPair]
    stores: dict[str, list[str]]


def gather(folder: Path, stores: Sequence[Path]) -> Material:
    """The material of a folder with dev.jsonl and train_extra.jsonl, and of stores."""
    extra = folder / "train_extra.jsonl"
    found: dict[str, list[str]] = {}
    for file in stores:
        for name, texts in read_stores(file).items():
            found[f"{file.parent.name}/{name}"] = texts
    return Material(
        read_pairs(folder / "dev.jsonl"),
        _of_one_owner(extra) if extra.exists() else [],
        found,
    )


def _of_one_owner(file: Path) -> list[LabelledPair]:
    """More pairs, without strangers who each say their name: no owner has two."""
    pairs = read_pairs(file, weight=_EXTRA_WEIGHT)
    return [p for p in pairs if not names_differ(p.old, p.new)]


def train(
    material: Material, embedders: Mapping[str, Embed], *, version: str
) -> dict[str, Any]:
    """The weights document, with the curves of five folds through each model.

    The first embedder finds the neighbours in the stores.
    """
    own = teaching_pairs()
    first = next(iter(embedders.values()))
    pairs = [*material.labelled, *own]
    models = {
        name: (embed, measure_scale(embed, pairs)) for name, embed in embedders.items()
    }
    negatives = beside(pairs, material.stores, first)
    extra = [*material.extra, *negatives, *strangers(pairs, first)]
    scales = {name: scale for name, (_, scale) in models.items()}
    document = fit(
        examples([*pairs, *extra], models),
        scales,
        version=version,
        thresholds=THRESHOLDS,
        settings=Settings(),
    )
    document["curves"] = curves(material.labelled, [*own, *extra], models)
    return document


def curves(
    pairs: Sequence[LabelledPair],
    extra: Sequence[LabelledPair],
    models: Mapping[str, Any],
) -> dict[str, Any]:
    """Operating curves by model of judges that never saw a pair's scenario."""
    folded = cross_validate(pairs, extra, models, count=FOLDS)
    return {name: summary(found, pairs) for name, found in folded.items() if name}
