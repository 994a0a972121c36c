"""From candidates to an order: fusion, relevance, and the rank score.

Order and absolute relevance answer different questions. *Which of these first* is
told best by z-scores over the candidates with the context of each (neighbours,
session, subject); *is it relevant at all* only by calibrated values that do not
depend on the company a memory is in. They are reconciled by handing the candidates'
own relevances, greatest first, to the fused order: the memory that the fusion puts
k-th takes the k-th greatest relevance. So relevance never contradicts the order, and
the best of bad candidates stays as low as the best of them deserves.

    rank_score = (w_relevance * relevance + w_score * score) * (0.5 + 0.5 * confidence)

The order that is returned is that of `rank_score`.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from memory_core.embedding import Calibration
from memory_core.recall.profiles import RankingWeights

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

FLAT = 1e-9
"""A standard deviation below this tells nothing apart."""
PLACES = 1 << 40
"""More than a session has positions, so that both fit one number."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """One recall's candidates, one entry of every array each.

    `cosine` is NaN without a vector, `bm25` 0 without a common term. `session` is any
    number that the memories of one session share, -1 without one; `position` the place
    in it, -1 if unknown. `length` is in bytes of UTF-8. `score` is the live score and
    `confidence` the memory's own, both in [0, 1]. `about_named` marks memories whose
    subject is the one person that the query names, `asks` those that only ask,
    `unspaced` those in Chinese and its like (see `embedding.is_unspaced`).
    `observed_at` (seconds) breaks ties, newer first. `linked` marks memories to which
    one of the best is linked, where that is known.
    """

    cosine: Floats
    bm25: Floats
    session: Ints
    position: Ints
    length: Floats
    score: Floats
    confidence: Floats
    about_named: Flags
    asks: Flags
    unspaced: Flags
    observed_at: Floats
    linked: Flags | None = None

    def __len__(self) -> int:
        return len(self.cosine)


@dataclass(frozen=True, slots=True)
class Question:
    """What ranking knows of the query.

    `ceiling` is the BM25 of a memory that says all of it (`lexical.ceiling`),
    `unspaced` whether it is in Chinese and its like.
    """

    ceiling: float
    unspaced: bool


@dataclass(frozen=True, slots=True)
class Ranking:
    """`order` lists candidates best first; the other arrays stay in candidate order.

    `parts` holds what the order was made of, by name, and `weights` by which ones, for
    `explain`.
    """

    order: Ints
    rank_score: Floats
    relevance: Floats
    fused: Floats
    weights: RankingWeights
    parts: dict[str, Floats] = field(repr=False)


def rank(
    candidates: Candidates,
    question: Question,
    weights: RankingWeights,
    calibration: Calibration,
) -> Ranking:
    """Rank the candidates of one recall, by what of the weights fits the model."""
    weights = weights.with_meaning(calibration.share)
    logit = calibration.logit(candidates.cosine, question.unspaced, candidates.unspaced)
    fused, parts = fuse(candidates, logit, weights)
    absolute = relevance(candidates, logit, question, weights)
    ranked = _handed_over(absolute, fused)
    trust = 0.5 + 0.5 * candidates.confidence
    rank_score = (
        weights.w_relevance * ranked + weights.w_score * candidates.score
    ) * trust
    order = np.lexsort((-candidates.observed_at, -fused, -rank_score))
    parts["absolute"] = absolute
    return Ranking(order, rank_score, ranked, fused, weights, parts)


def relevance(
    candidates: Candidates, logit: Floats, question: Question, weights: RankingWeights
) -> Floats:
    """Relevance of each candidate by itself, in [0, 1], whatever else was found."""
    share = np.minimum(candidates.bm25 / max(question.ceiling, 1e-9), 1.0)
    both = (
        weights.relevance_intercept
        + weights.relevance_dense * logit
        + weights.relevance_lexical * share
    )
    words = weights.words_intercept + weights.words_lexical * share
    return 1.0 / (1.0 + np.exp(-np.where(np.isnan(logit), words, both)))


def fuse(
    candidates: Candidates, logit: Floats, weights: RankingWeights
) -> tuple[Floats, dict[str, Floats]]:
    """(the fused score that decides the order, its parts by name)."""
    dense = standardised(logit)
    lexical = standardised(candidates.bm25)
    own = weights.lexical * lexical + weights.dense * dense
    parts: dict[str, Floats] = {
        "dense": weights.dense * dense,
        "lexical": weights.lexical * lexical,
        "neighbours": _neighbours(own, candidates, weights),
        "session": weights.session * _session(own, candidates, weights.session_best),
        "subject": candidates.about_named.astype(np.float64) * weights.subject,
        "question": candidates.asks.astype(np.float64) * -weights.question,
        "length": weights.length * _centred(np.log1p(candidates.length)),
    }
    if candidates.linked is not None:
        parts["linked"] = candidates.linked.astype(np.float64) * weights.linked
    return np.stack(list(parts.values())).sum(axis=0), parts


def standardised(values: Floats) -> Floats:
    """z-scores; what is missing or equal to all others counts as the mean, 0."""
    known = values[~np.isnan(values)]
    spread = known.std() if len(known) else 0.0
    if spread < FLAT:
        return np.zeros_like(values)
    return np.where(np.isnan(values), 0.0, (values - known.mean()) / spread)


def _centred(values: Floats) -> Floats:
    return values - values.mean() if len(values) else values


def _neighbours(own: Floats, candidates: Candidates, weights: RankingWeights) -> Floats:
    """What each memory is passed by those next to it in its session."""
    total = np.zeros_like(own)
    placed = np.flatnonzero((candidates.session >= 0) & (candidates.position >= 0))
    if not len(placed):
        return total
    place = candidates.session[placed] * PLACES + candidates.position[placed]
    by_place = np.argsort(place)
    places, scores = place[by_place], own[placed][by_place]
    for offset, share in (
        (-1, weights.previous),
        (1, weights.next),
        (-2, weights.second),
        (2, weights.second),
    ):
        at = np.minimum(np.searchsorted(places, place + offset), len(places) - 1)
        is_there = places[at] == place + offset
        total[placed] += share * np.where(is_there, scores[at], 0.0)
    return total


def _session(own: Floats, candidates: Candidates, best: int) -> Floats:
    """z-score over the sessions' members of the mean of each session's best."""
    total = np.zeros_like(own)
    members = np.flatnonzero(candidates.session >= 0)
    if not len(members):
        return total
    _, of = np.unique(candidates.session[members], return_inverse=True)
    scores = own[members]
    order = np.lexsort((-scores, of))
    first = np.searchsorted(of[order], np.arange(of.max() + 1))
    place = np.arange(len(order)) - first[of[order]]
    top = order[place < best]
    means = np.bincount(of[top], scores[top]) / np.bincount(of[top])
    total[members] = standardised(means[of])
    return total


def _handed_over(values: Floats, by: Floats) -> Floats:
    """`values` dealt out greatest first in the order of `by`."""
    handed = np.empty_like(values)
    handed[np.argsort(-by, kind="stable")] = np.sort(values)[::-1]
    return handed
