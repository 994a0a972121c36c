"""Kept queries, asked once more."""

from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import datetime
from typing import Any

from memory_core.contracts.callers import Scope
from memory_core.contracts.categories import Tried
from memory_core.contracts.recall import Narrowing, RecallQuery
from memory_core.models import RecallSample


def scope_of(sample: RecallSample) -> Scope:
    """Return the owner and the namespace that a kept query is about."""
    return Scope(sample.owner_id, sample.owner.external_id, (sample.namespace_id,))


def query_of(sample: RecallSample, *, tried: Tried | None = None) -> RecallQuery:
    """Return a kept query as it was asked, not ranked again; touches nothing."""
    kept: Mapping[str, Any] = sample.filters
    names = {one.name for one in fields(Narrowing)}
    narrow = {n: _value(n, v) for n, v in kept.items() if n in names}
    return RecallQuery(
        owner_id=sample.owner.external_id,
        query=sample.query,
        top_k=kept.get("top_k", 10),
        min_score=kept.get("min_score"),
        purpose=kept.get("purpose", "answer"),
        include_archived=kept.get("include_archived", False),
        narrowing=Narrowing(**narrow),
        touch=False,
        tried=tried,
    )


def reranked_of(sample: RecallSample) -> RecallQuery:
    """Return a kept query with its second ranking, as of the moment it was asked."""
    return replace(query_of(sample), rerank="llm", as_of=sample.at)


def _value(name: str, value: Any) -> Any:
    if name.startswith("occurred_"):
        return datetime.fromisoformat(value)
    return tuple(value) if isinstance(value, list) else value
