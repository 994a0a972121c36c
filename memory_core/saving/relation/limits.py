"""Whether thresholds make sense for the embedding model at hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memory_core.contracts.relation import Statement
from memory_core.embedding import Embedder
from memory_core.saving.relation.evaluation import ACTING, probabilities_of
from memory_core.saving.relation.judging import relate
from memory_core.saving.relation.labelled import LabelledPair
from memory_core.saving.relation.model import KINDS, Floats, weights
from memory_core.saving.relation.scenarios import probes

# A threshold that finds less than this share of its kind does nothing worth having,
# one that acts on more than this share of distinct pairs loses memories.
INERT_BELOW = 0.1
RECKLESS_ABOVE = 0.03


def threshold_warnings(
    thresholds: Mapping[str, float], embedder: Embedder
) -> list[str]:
    """Sentences about thresholds that are inert or reckless on this embedding model.

    Measured on pairs that come with the package and trained nothing. Raises
    EmbedderUnavailable.
    """
    pairs = probes()
    found = [] if embedder.name in weights().scales else [_unmeasured(embedder.name)]
    probabilities = _probe(embedder)
    for kind in ACTING:
        limit = thresholds.get(kind, weights().thresholds[kind])
        column = [bool(p >= limit) for p in probabilities[:, KINDS.index(kind)]]
        share = _share(column, pairs, kind)
        harm = _share(column, pairs, "distinct")
        where = f"{kind} threshold {limit:g} on {embedder.name}"
        if share < INERT_BELOW:
            found.append(f"{where} is inert: it finds {share:.0%} of such pairs")
        if harm > RECKLESS_ABOVE:
            found.append(f"{where} is reckless: it hits {harm:.0%} of distinct pairs")
    return found


def _unmeasured(name: str) -> str:
    return f"{name} has no measured scale: pairs are judged by their words alone"


def _share(acts: Sequence[bool], pairs: Sequence[LabelledPair], kind: str) -> float:
    chosen = [a for a, pair in zip(acts, pairs, strict=True) if pair.kind == kind]
    return sum(chosen) / max(1, len(chosen))


def _probe(embedder: Embedder) -> Floats:
    """Probabilities of the probes as the judge sees them through a model."""
    pairs = probes()
    texts = list(dict.fromkeys(t for p in pairs for t in (p.old, p.new)))
    vectors = embedder.embed_passages(texts)
    said = {t: Statement(t, vector=v) for t, v in zip(texts, vectors, strict=True)}
    return probabilities_of(
        [relate(said[p.old], said[p.new], embedder=embedder.name) for p in pairs]
    )
