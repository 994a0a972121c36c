"""Re-ranking of the best candidates by a language model."""

from dataclasses import replace
from uuid import UUID

from memory_core.contracts.recall import RecallQuery, RecallResult, WithheldCounts
from memory_core.llm import ChatModel, reranked
from memory_core.llm.reranking import FIRST
from memory_core.recall.budget import fits

UNAVAILABLE = "rerank_unavailable"


def widened(query: RecallQuery) -> RecallQuery:
    """Return the query that finds what is to be ranked a second time."""
    top_k = max(query.top_k, FIRST)
    return replace(query, rerank="none", top_k=top_k, token_budget=None)


def reordered(
    found: RecallResult, query: RecallQuery, model: ChatModel
) -> RecallResult:
    """Return the answer in the model's order; in its own if the model gives none."""
    order = reranked(model, query.query, [hit.memory.content for hit in found.hits])
    hits = found.hits if order is None else tuple(found.hits[at] for at in order)
    hits = hits[: query.top_k]
    kept = fits([hit.memory.content for hit in hits], query.token_budget)
    gone = tuple(
        hit.memory.memory_id for hit, ok in zip(hits, kept, strict=True) if not ok
    )
    return replace(
        found,
        hits=tuple(hit for hit, ok in zip(hits, kept, strict=True) if ok),
        withheld=_with_budget(found.withheld, gone),
        hints=found.hints if order is not None else (*found.hints, UNAVAILABLE),
    )


def _with_budget(counts: WithheldCounts, gone: tuple[UUID, ...]) -> WithheldCounts:
    ids = {**counts.ids, "budget": gone} if gone else counts.ids
    return replace(counts, budget=len(gone), ids=ids)
