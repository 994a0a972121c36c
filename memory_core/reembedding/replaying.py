"""What a change does to answers: kept queries asked before and after it."""

from collections.abc import Sequence

from memory_core.contracts.callers import SYSTEM
from memory_core.contracts.recall import RecallResult
from memory_core.models import RecallSample
from memory_core.recall import engine
from memory_core.recall.samples import query_of, reranked_of, scope_of
from memory_core.recall.second import UNAVAILABLE

MOST = 200

Answers = dict[str, list[str]]
"""Returned ids, best first, by sample."""


def samples() -> list[RecallSample]:
    """Return the latest kept queries, the same question of one owner once."""
    rows = RecallSample.objects.select_related("owner").order_by("-id")[: 5 * MOST]
    asked: dict[tuple[int, int, str], RecallSample] = {}
    for row in rows:
        asked.setdefault((row.owner_id, row.namespace_id, row.query), row)
    return list(asked.values())[:MOST]


def ask(kept: Sequence[RecallSample]) -> Answers:
    """Return what the service answers now; nothing is touched."""
    return {str(sample.pk): _returned(sample) for sample in kept}


def report(before: Answers, after: Answers) -> dict[str, float]:
    """Return how much the answers changed, over the samples that have both.

    `overlap` is the mean share of common memories among all that were returned,
    `same_first` the share of queries with the same best memory, `same` that of
    queries whose answer did not change at all.
    """
    pairs = [(before[key], after[key]) for key in before.keys() & after.keys()]
    if not pairs:
        return {"samples": 0}
    count = len(pairs)
    return {
        "samples": count,
        "overlap": round(sum(_overlap(old, new) for old, new in pairs) / count, 4),
        "same_first": round(sum(o[:1] == n[:1] for o, n in pairs) / count, 4),
        "same": round(sum(old == new for old, new in pairs) / count, 4),
    }


def _overlap(old: Sequence[str], new: Sequence[str]) -> float:
    every = set(old) | set(new)
    return len(set(old) & set(new)) / len(every) if every else 1.0


def ask_reranked(sample: RecallSample) -> list[str] | None:
    """Return what the language model makes of a query; None if it gave no order."""
    result = engine.search(SYSTEM, scope_of(sample), reranked_of(sample))
    return None if UNAVAILABLE in result.hints else _ids(result)


def _returned(sample: RecallSample) -> list[str]:
    return _ids(engine.search(SYSTEM, scope_of(sample), query_of(sample)))


def _ids(result: RecallResult) -> list[str]:
    return [str(hit.memory.memory_id) for hit in result.hits]
