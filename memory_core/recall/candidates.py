"""From an asked query to ranked candidates."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from memory_core.embedding import UNCALIBRATED, UNSPACED_BYTES
from memory_core.lexical import asks, ceiling
from memory_core.prepared import fetch, fetch_each
from memory_core.recall import words
from memory_core.recall.nearest import approximate, exact_statement
from memory_core.recall.question import Asked, Background
from memory_core.recall.ranking import (
    Candidates,
    Flags,
    Floats,
    Ints,
    Question,
    Ranking,
    rank,
)
from memory_core.recall.reach import Reach
from memory_core.recall.rows import Row, fetch_rows, is_current, strengths_of
from memory_core.scoring.arrays import Strengths, bonuses, decays, live_scores
from memory_core.stages import stage

LINKING = 3
"""So many of the best bring along what they are linked to."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the two searches gave by memory id: the nearest with their cosines, BM25.

    `exhausted` says that both came to the end of what the owner has; `frequency` how
    many memories have each term of the query.
    """

    near: Mapping[UUID, float]
    bm25: Mapping[UUID, float]
    frequency: Mapping[str, float]
    exhausted: bool

    def ids(self) -> set[UUID]:
        """Return the memories that either search found."""
        return {*self.near, *self.bm25}


@dataclass(frozen=True, slots=True)
class Pool:
    """Ranked candidates: `rows[i]` belongs to the i-th entry of every array."""

    rows: Sequence[Row]
    candidates: Candidates
    strengths: Strengths
    ranking: Ranking
    exhausted: bool


def look_for(asked: Asked, background: Background, reach: Reach, limit: int) -> Found:
    """Return the `limit` nearest by vector and the `limit` best by words."""
    corpus = background.corpus
    with stage("vectors"):
        near, counts = _nearest_and_counts(asked, reach, limit)
    with stage("words"):
        frequency = words.estimated(counts, corpus)
        scores = words.bm25(
            reach, asked.terms, frequency, corpus, limit=limit, also=tuple(near)
        )
    is_all = len(near) < limit and len(scores) < limit + len(near)
    return Found(near, scores, frequency, is_all)


def _nearest_and_counts(
    asked: Asked, reach: Reach, limit: int
) -> tuple[dict[UUID, float], list[tuple[str, int]]]:
    """Return the nearest with cosines, and how many have each term: one round trip."""
    count = words.frequency_statement(reach, asked.terms)
    if asked.space is None or asked.vector is None:
        return {}, fetch(*count)
    space, vector = asked.space.model_id, asked.vector
    near = approximate(reach, vector, space, limit=limit)
    if near is not None:
        return dict(near), fetch(*count)
    search = exact_statement(reach, vector, space, limit=limit)
    near, counts = fetch_each(search, count)
    return dict(near), counts


def ranked(
    found: Found, asked: Asked, background: Background, reach: Reach, *, now: float
) -> Pool:
    """Return the current ones among the found, with scores and order.

    What the best of them are linked to comes in too and is placed a little higher.
    """
    rows = _current(found.ids(), asked, reach, now=now, known=found.near)
    pool = _pool(rows, found, asked, background, now=now)
    linked = _linked(pool)
    if not linked:
        return pool
    missing = linked - {row.id for row in rows}
    if missing and not reach.narrowing:
        rows = [*rows, *_current(missing, asked, reach, now=now, known={})]
    return _pool(rows, found, asked, background, now=now, linked=linked)


def _current(
    memory_ids: Set[UUID],
    asked: Asked,
    reach: Reach,
    *,
    now: float,
    known: Mapping[UUID, float],
) -> list[Row]:
    """Return the rows of the memories; only of those not `known` the cosine is read."""
    with stage("rows"):
        space = asked.space.model_id if asked.space else None
        unknown = memory_ids - known.keys()
        rows = fetch_rows(reach, memory_ids, asked.vector, space, compared=unknown)
        return [row for row in rows if is_current(row, reach, now=now)]


def _pool(
    rows: Sequence[Row],
    found: Found,
    asked: Asked,
    background: Background,
    *,
    now: float,
    linked: Set[UUID] = frozenset(),
) -> Pool:
    with stage("ranking"):
        strengths = strengths_of(rows)
        scores = live_scores(strengths, now=now)
        candidates = _candidates(rows, found, asked, scores, linked)
        ranking = rank(
            candidates,
            Question(_ceiling(found, asked, background), asked.unspaced),
            background.weights,
            asked.space.embedder.calibration if asked.space else UNCALIBRATED,
        )
    return Pool(rows, candidates, strengths, ranking, found.exhausted)


def _linked(pool: Pool) -> set[UUID]:
    """Return to which memories the best of the pool are linked."""
    best = pool.ranking.order[:LINKING]
    return {linked for at in best for linked in pool.rows[int(at)].related}


def _ceiling(found: Found, asked: Asked, background: Background) -> float:
    counts = {term: round(count) for term, count in found.frequency.items()}
    return ceiling(asked.terms, counts, background.corpus.memories)


def explained(pool: Pool, at: int, *, now: float) -> dict[str, object]:
    """Return the parts of one candidate's place, as plain numbers."""
    parts = {name: _plain(values[at]) for name, values in pool.ranking.parts.items()}
    row = pool.rows[at]
    return {
        **parts,
        "cosine": _plain(pool.candidates.cosine[at]),
        "bm25": _plain(pool.candidates.bm25[at]),
        "fused": _plain(pool.ranking.fused[at]),
        "relevance": _plain(pool.ranking.relevance[at]),
        "base_score": _plain(row.base_score),
        "decay": _plain(decays(pool.strengths, now=now)[at]),
        "bonus": _plain(bonuses(pool.strengths)[at]),
        "half_life_days": _plain(row.half_life),
    }


def _plain(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 6)


def _candidates(
    rows: Sequence[Row],
    found: Found,
    asked: Asked,
    scores: Floats,
    linked: Set[UUID],
) -> Candidates:
    nan = float("nan")
    sizes = [len(row.content.encode("utf-8", "replace")) for row in rows]
    return Candidates(
        cosine=_floats(
            [
                found.near.get(row.id, nan if row.cosine is None else row.cosine)
                for row in rows
            ]
        ),
        bm25=_floats([found.bm25.get(row.id, 0.0) for row in rows]),
        session=_sessions(rows),
        position=np.array(
            [-1 if row.position is None else row.position for row in rows],
            dtype=np.int64,
        ),
        length=_floats(sizes),
        score=scores,
        confidence=_floats([row.confidence for row in rows]),
        about_named=np.array(
            [bool(asked.about) and row.subject == asked.about for row in rows],
            dtype=np.bool_,
        ),
        asks=np.array([asks(row.content) for row in rows], dtype=np.bool_),
        unspaced=np.array(
            [
                size > UNSPACED_BYTES * len(row.content)
                for size, row in zip(sizes, rows, strict=True)
            ],
            dtype=np.bool_,
        ),
        observed_at=_floats([row.observed_at for row in rows]),
        linked=_flags([row.id in linked for row in rows]) if linked else None,
    )


def _sessions(rows: Sequence[Row]) -> Ints:
    numbers: dict[tuple[int, str], int] = {}
    found = [
        numbers.setdefault((row.namespace_id, row.session_id), len(numbers))
        if row.session_id
        else -1
        for row in rows
    ]
    return np.array(found, dtype=np.int64)


def _flags(values: Sequence[bool]) -> Flags:
    return np.array(values, dtype=np.bool_)


def _floats(values: Sequence[float]) -> Floats:
    return np.array(values, dtype=np.float64)
