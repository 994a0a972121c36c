"""Recall: candidates, ranking, checks, and the answer.

What is left out and why: `min_score` and the `archive_below` of a memory's category
are compared to its live score (`faded`); the read check looks at each memory that
would be returned, best first (`screening`, or `untrusted_for_purpose` where only the
purpose forbids it); the token budget applies to the first `top_k` that passed.
`include_archived` waives both thresholds. If fewer than `top_k` pass, the search
looks further, until they do or the owner has no more.
"""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

import orjson
from django.utils import timezone
from uuid_utils.compat import uuid7

from memory_core import isolation, llm
from memory_core.contracts.callers import Actor, Scope
from memory_core.contracts.recall import (
    RecallHit,
    RecallQuery,
    RecallResult,
    WithheldCounts,
)
from memory_core.contracts.screening import ReadItem
from memory_core.contracts.touches import Kinship
from memory_core.recall import candidates, second
from memory_core.recall.budget import fits
from memory_core.recall.candidates import Pool
from memory_core.recall.question import Asked, Background, background_of, make_ready
from memory_core.recall.reach import CURRENT, ONCE_CURRENT, WITH_ARCHIVED, Reach
from memory_core.recall.rows import Row
from memory_core.recall.views import views_of
from memory_core.screening import read_check
from memory_core.stages import stage

CANDIDATES = 100
WIDER = 4
"""By how much the search looks further each time."""
NEAR = 30
"""Candidates that were not returned but stay known to what is done afterwards."""
VERY_SIMILAR = 0.3
"""Of the way from the same to just relevant, in cosine: nearer ones say much the same.

0.95 for multilingual-e5, where paraphrases have 0.975, 0.77 for the USE.
"""


@dataclass(slots=True)
class Choice:
    """Which candidates are returned, as places in the pool, and what is left out."""

    taken: list[int] = field(default_factory=list)
    left_out: dict[str, list[UUID]] = field(default_factory=dict)

    def leave_out(self, reason: str, row: Row) -> None:
        """Keep the id of a candidate that is withheld, under its reason."""
        self.left_out.setdefault(reason, []).append(row.id)


def search(
    by: Actor, scope: Scope, query: RecallQuery, *, now: datetime | None = None
) -> RecallResult:
    """Return the memories of `scope` that answer `query`, best first; touches nothing.

    `now` is the arrival of the call; the query's `as_of` takes its place. Where the
    embedder is away the answer comes from words, with the hint `words_only`; where the
    language model of a second ranking is, with `rerank_unavailable`.
    """
    model = llm.configured() if query.rerank == "llm" else None
    if model is None:
        return _search(by, scope, query, now=now)
    found = _search(by, scope, second.widened(query), now=now)
    return second.reordered(found, query, model)


def _search(
    by: Actor, scope: Scope, query: RecallQuery, *, now: datetime | None
) -> RecallResult:
    moment = query.as_of or now or timezone.now()
    reach = _reach(scope, query)
    with isolation.searching_for(by, scope):
        with stage("background"):
            background = background_of(scope)
        asked = make_ready(query.query, background, scope)
        pool, choice = _widening(asked, background, reach, query, moment)
        with stage("answer"):
            hits = _hits(pool, choice, query, moment)
    return RecallResult(
        recall_id=uuid7(),
        hits=hits,
        withheld=_counts(choice),
        hints=_hints(asked, query),
        kinship=_kinship(pool, choice, asked),
    )


def _reach(scope: Scope, query: RecallQuery) -> Reach:
    present = WITH_ARCHIVED if query.include_archived else CURRENT
    statuses = present if query.as_of is None else ONCE_CURRENT
    return Reach(scope, statuses, query.as_of, query.narrowing, query.tried)


def _widening(
    asked: Asked,
    background: Background,
    reach: Reach,
    query: RecallQuery,
    moment: datetime,
) -> tuple[Pool, Choice]:
    limit = max(CANDIDATES, query.top_k)
    now = moment.timestamp()
    while True:
        found = candidates.look_for(asked, background, reach, limit)
        pool = candidates.ranked(found, asked, background, reach, now=now)
        with stage("check"):
            choice = _choose(pool, query)
        if len(choice.taken) >= query.top_k or pool.exhausted:
            _apply_budget(pool, choice, query)
            return pool, choice
        limit *= WIDER


def _choose(pool: Pool, query: RecallQuery) -> Choice:
    choice = Choice()
    for at in map(int, pool.ranking.order):
        row = pool.rows[at]
        if not query.include_archived and _is_faded(pool, at, query.min_score):
            choice.leave_out("faded", row)
        elif reason := _forbidden(row, query):
            choice.leave_out(reason, row)
        else:
            choice.taken.append(at)
            if len(choice.taken) == query.top_k:
                break
    return choice


def _is_faded(pool: Pool, at: int, min_score: float | None) -> bool:
    threshold = max(pool.rows[at].archive_below, min_score or 0.0)
    return bool(pool.candidates.score[at] < threshold)


def _forbidden(row: Row, query: RecallQuery) -> str:
    """Return why the read check keeps a memory back, empty if it does not."""
    tags = orjson.loads(row.verdict_tags) if row.verdict_tags else ()
    item = ReadItem(
        content=row.content,
        category=row.category,
        source_kind=row.source_kind,  # type: ignore[arg-type]
        source_trust=row.source_trust,  # type: ignore[arg-type]
        version=row.rules_version,
        tags=tuple(tags),
        approved=row.is_approved,
    )
    withheld = read_check(item, query=query.query, purpose=query.purpose)
    if withheld is None:
        return ""
    return "untrusted_for_purpose" if withheld.reason == "purpose" else "screening"


def _apply_budget(pool: Pool, choice: Choice, query: RecallQuery) -> None:
    texts = [pool.rows[at].content for at in choice.taken]
    kept = fits(texts, query.token_budget)
    for at, is_kept in zip(choice.taken, kept, strict=True):
        if not is_kept:
            choice.leave_out("budget", pool.rows[at])
    choice.taken = [at for at, ok in zip(choice.taken, kept, strict=True) if ok]


def _hits(
    pool: Pool,
    choice: Choice,
    query: RecallQuery,
    moment: datetime,
) -> tuple[RecallHit, ...]:
    if not choice.taken:
        return ()
    views = views_of([pool.rows[at].id for at in choice.taken], now=moment)
    hits = []
    for at in choice.taken:
        view = views.get(pool.rows[at].id)
        if view is None:
            continue  # deleted since it was found
        explain: dict[str, object] = {}
        if query.explain:
            explain = candidates.explained(pool, at, now=moment.timestamp())
            explain["weights"] = pool.ranking.weights.to_dict()
        hits.append(
            RecallHit(
                memory=view,
                similarity=float(pool.ranking.parts["absolute"][at]),
                rank_score=float(pool.ranking.rank_score[at]),
                explain=explain,
            )
        )
    return tuple(hits)


def _kinship(pool: Pool, choice: Choice, asked: Asked) -> Kinship | None:
    if asked.space is None:
        return None
    taken = set(choice.taken)
    rest = (int(at) for at in pool.ranking.order if int(at) not in taken)
    near = tuple(pool.rows[at].id for at, _ in zip(rest, range(NEAR), strict=False))
    calibration = asked.space.embedder.calibration
    midpoint = max(calibration.spaced, calibration.unspaced)
    cosine = 1.0 - VERY_SIMILAR * (1.0 - midpoint)
    return Kinship(near, asked.space.model_id, cosine)


def _counts(choice: Choice) -> WithheldCounts:
    ids = {reason: tuple(found) for reason, found in choice.left_out.items()}
    counts = {reason: len(found) for reason, found in ids.items()}
    return WithheldCounts(**counts, ids=ids)


def _hints(asked: Asked, query: RecallQuery) -> tuple[str, ...]:
    if query.rerank == "llm":
        return (*asked.hints, second.UNAVAILABLE)
    return asked.hints
