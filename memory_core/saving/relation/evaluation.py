"""How well the judge does on labelled pairs: operating curves and verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from memory_core.contracts.relation import Relation, RelationKind
from memory_core.saving.relation.labelled import LabelledPair
from memory_core.saving.relation.model import KINDS, Floats
from memory_core.saving.relation.normal import normalise

ACTING: tuple[RelationKind, RelationKind] = ("duplicate", "supersede")
THRESHOLDS = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
RECALL_OF_INTEREST = 0.7


@dataclass(frozen=True)
class Point:
    """What one threshold gives: share right of what acts, share found, share harmed.

    ``harmed`` is the share of distinct pairs on which the kind acts.
    """

    threshold: float
    precision: float
    recall: float
    harmed: float


def with_equal_texts(probabilities: Floats, pairs: Sequence[LabelledPair]) -> Floats:
    """The probabilities with equal texts as certain duplicates, as the judge has it."""
    result = probabilities.copy()
    equal = [normalise(p.old) == normalise(p.new) for p in pairs]
    result[equal] = [float(kind == "duplicate") for kind in KINDS]
    return result


def curve(
    probabilities: Floats, pairs: Sequence[LabelledPair], kind: RelationKind
) -> list[Point]:
    """The operating curve of a kind at ``THRESHOLDS``."""
    p = probabilities[:, KINDS.index(kind)]
    true = np.array([pair.kind == kind for pair in pairs])
    distinct = np.array([pair.kind == "distinct" for pair in pairs])
    points = []
    for threshold in THRESHOLDS:
        acts = p >= threshold
        points.append(
            Point(
                threshold,
                float(true[acts].mean()) if acts.any() else 1.0,
                float(acts[true].mean()) if true.any() else 0.0,
                float(acts[distinct].mean()) if distinct.any() else 0.0,
            )
        )
    return points


def precision_at_recall(
    probabilities: Floats,
    pairs: Sequence[LabelledPair],
    kind: RelationKind,
    recall: float = RECALL_OF_INTEREST,
) -> float:
    """Precision where the surest pairs hold this share of the kind; 0 if none are."""
    p = probabilities[:, KINDS.index(kind)]
    true = np.array([pair.kind == kind for pair in pairs])
    if not true.any():
        return 0.0
    hits = np.cumsum(true[np.argsort(-p, kind="stable")])
    needed = int(np.searchsorted(hits, recall * true.sum() - 1e-9))
    return float(hits[needed] / (needed + 1))


def summary(probabilities: Floats, pairs: Sequence[LabelledPair]) -> dict[str, Any]:
    """Curves and the precision at recall 0.7 of both acting kinds, ready for JSON."""
    known = with_equal_texts(probabilities, pairs)
    return {
        kind: {
            "pairs": sum(p.kind == kind for p in pairs),
            "precision_at_recall_0.7": round(
                precision_at_recall(known, pairs, kind), 4
            ),
            "curve": [
                {name: round(value, 4) for name, value in vars(point).items()}
                for point in curve(known, pairs, kind)
            ],
        }
        for kind in ACTING
    }


def probabilities_of(relations: Sequence[Relation]) -> Floats:
    """Probabilities, (n, kinds), from the signals of relations."""
    found: Floats = np.array(
        [[relation.signals[f"p_{kind}"] for kind in KINDS] for relation in relations]
    )
    return found.reshape(len(relations), len(KINDS))


def verdict(relation: Relation) -> Mapping[str, Any]:
    """A row for people who judge the judge: what it does, and how sure it is.

    ``p`` belongs to the verdict; a pair that only refines changes nothing, so it is
    distinct here, and its ``p`` is that nothing would change.
    """
    if relation.kind in ACTING:
        return {"verdict": relation.kind, "p": round(relation.p, 4)}
    acts = sum(relation.signals[f"p_{kind}"] for kind in ACTING)
    return {"verdict": "distinct", "p": round(1.0 - acts, 4)}
