"""Word candidates: BM25 over the postings of one owner.

Terms that more than a twentieth of a large owner's memories have do not look for
candidates; they count only for those that the rare terms or the vectors found.
"""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

import numpy as np

from memory_core.lexical import K1, B, idf, saturation
from memory_core.prepared import fetch
from memory_core.recall.reach import JOIN_MEMORY, Reach
from memory_core.recall.sql import ids_literal

FREQUENT_SHARE = 0.05
FREQUENT_AT_LEAST = 500
COUNTED_AT_MOST = 20_000
"""Postings of one term that are counted; beyond, the share is estimated."""

Scores = dict[UUID, float]


class Corpus:
    """How many memories a search is over, and the terms of an average one."""

    __slots__ = ("average_length", "memories")

    def __init__(self, memories: int, length: int) -> None:
        self.memories = memories
        self.average_length = length / memories if memories else 0.0


def frequency_statement(reach: Reach, terms: Iterable[str]) -> tuple[str, list[object]]:
    """Return what counts the memories within `reach` by term: rows of (term, count)."""
    where = reach.of("t")
    statement = (
        "SELECT q.term, (SELECT count(*) FROM (SELECT FROM memory_core_memoryterm t"
        f" WHERE t.term = q.term AND {where.text} LIMIT {COUNTED_AT_MOST}) AS counted)"
        " FROM unnest(%s::text[]) AS q(term)"
    )
    return statement, [*where.values, list(terms)]


def estimated(rows: Iterable[tuple[str, int]], corpus: Corpus) -> dict[str, float]:
    """Return counts by term; one that was cut at the cap lies between it and all."""
    return {
        term: count if count < COUNTED_AT_MOST else (count * corpus.memories) ** 0.5
        for term, count in rows
    }


def bm25(
    reach: Reach,
    query: Mapping[str, int],
    frequency: Mapping[str, float],
    corpus: Corpus,
    *,
    limit: int,
    also: Sequence[UUID] = (),
) -> Scores:
    """Return the BM25 of the `limit` best by words and of the memories in `also`.

    `query` counts its terms, `frequency` comes from `estimated`. Those of `also`
    without a term of the query are left out.
    """
    present = [term for term in query if frequency.get(term)]
    if not present:
        return {}
    weights = dict(
        zip(
            present,
            idf([frequency[t] for t in present], corpus.memories)
            * np.array([query[t] for t in present], dtype=np.float64),
            strict=True,
        )
    )
    bound = max(FREQUENT_AT_LEAST, FREQUENT_SHARE * corpus.memories)
    rare = [term for term in present if frequency[term] <= bound] or present
    scores = _searched(
        reach, {term: weights[term] for term in rare}, corpus, limit, also
    )
    frequent = {term: weights[term] for term in present if term not in set(rare)}
    if frequent and (scores or also):
        _add(scores, reach, frequent, corpus, {*scores, *also})
    return scores


def _searched(
    reach: Reach,
    weights: Mapping[str, float],
    corpus: Corpus,
    limit: int,
    also: Sequence[UUID],
) -> Scores:
    where = reach.of("t")
    join = ""
    if reach.narrowing or reach.moment:
        join = JOIN_MEMORY.format(alias="t")
        where = where & reach.at_moment("m") & reach.of_memory()
    rows = fetch(
        "WITH scored AS MATERIALIZED (SELECT t.memory_id,"
        " sum(q.weight * t.tf * %s::float8"
        " / (t.tf + %s::float8 + %s::float8 * t.len)) AS score"
        " FROM unnest(%s::text[], %s::float8[]) AS q(term, weight)"
        f" JOIN memory_core_memoryterm t ON t.term = q.term{join} WHERE {where.text}"
        " GROUP BY 1)"
        " (SELECT memory_id, score FROM scored ORDER BY score DESC LIMIT %s)"
        " UNION SELECT memory_id, score FROM scored WHERE memory_id = ANY(%s::uuid[])",
        [
            K1 + 1,
            K1 * (1 - B),
            K1 * B / max(corpus.average_length, 1.0),
            list(weights),
            [float(weight) for weight in weights.values()],
            *where.values,
            limit,
            ids_literal(also),
        ],
    )
    return dict(rows)


def _add(
    scores: Scores,
    reach: Reach,
    weights: Mapping[str, float],
    corpus: Corpus,
    memory_ids: Iterable[UUID],
) -> None:
    """Add what `weights`' terms are worth in the given memories to `scores`."""
    rows = fetch(
        "SELECT memory_id, term, tf, len FROM memory_core_memoryterm"
        " WHERE owner_id = %s AND term = ANY(%s::text[])"
        " AND memory_id = ANY(%s::uuid[])",
        [reach.scope.owner, list(weights), ids_literal(memory_ids)],
    )
    if not rows:
        return
    found, terms, counts, lengths = zip(*rows, strict=True)
    worth = saturation(counts, lengths, corpus.average_length)
    for memory_id, term, share in zip(found, terms, worth, strict=True):
        scores[memory_id] = scores.get(memory_id, 0.0) + weights[term] * float(share)
