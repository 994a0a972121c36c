"""The judge on a file of labelled pairs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from memory_core.contracts.relation import Relation, RelationKind, Statement
from memory_core.embedding import Embedder
from memory_core.saving.relation.evaluation import (
    ACTING,
    probabilities_of,
    summary,
    verdict,
)
from memory_core.saving.relation.judging import relate
from memory_core.saving.relation.labelled import LabelledPair, read_pairs
from memory_core.saving.relation.limits import threshold_warnings
from memory_core.saving.relation.model import weights


def report(
    file: Path, embedder: Embedder, thresholds: Mapping[str, float], rows: Path | None
) -> dict[str, Any]:
    """What the shipped judge does on a JSONL file, and the curves of its training.

    ``cross_validated`` are the curves by folds that never saw a pair's scenario:
    believe those, when the file was trained on. With ``rows`` one verdict a line goes
    there. Raises ValueError for a bad line, EmbedderUnavailable.
    """
    pairs = read_pairs(file)
    relations = judged(pairs, embedder, thresholds)
    if rows is not None:
        _write(rows, relations)
    return {
        "pairs": len(pairs),
        "embedder": embedder.name,
        "version": weights().version,
        "thresholds": dict(thresholds),
        "verdicts": _confusion(pairs, relations),
        **summary(probabilities_of(relations), pairs),
        "cross_validated": weights().curves.get(embedder.name, {}),
        "warnings": threshold_warnings(thresholds, embedder),
    }


def judged(
    pairs: Sequence[LabelledPair], embedder: Embedder, thresholds: Mapping[str, float]
) -> list[Relation]:
    """The relation of each pair, as the shipped judge sees it."""
    texts = list(dict.fromkeys(t for p in pairs for t in (p.old, p.new)))
    vectors = dict(zip(texts, embedder.embed_passages(texts), strict=True))
    return [
        relate(
            Statement(pair.old, vector=vectors[pair.old]),
            Statement(pair.new, vector=vectors[pair.new]),
            embedder=embedder.name,
            thresholds=thresholds,
        )
        for pair in pairs
    ]


def _write(rows: Path, relations: Sequence[Relation]) -> None:
    with rows.open("w", encoding="utf-8") as out:
        for line, relation in enumerate(relations, start=1):
            out.write(json.dumps({"line": line, **verdict(relation)}) + "\n")


def _confusion(
    pairs: Sequence[LabelledPair], relations: Sequence[Relation]
) -> dict[RelationKind, dict[RelationKind, int]]:
    """Counts by true kind and verdict."""
    verdicts: tuple[RelationKind, ...] = (*ACTING, "distinct")
    counts = {p.kind: dict.fromkeys(verdicts, 0) for p in pairs}
    for pair, relation in zip(pairs, relations, strict=True):
        counts[pair.kind][verdict(relation)["verdict"]] += 1
    return counts
