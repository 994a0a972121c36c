"""Checked input -> the contracts that actions take."""

from collections.abc import Mapping
from typing import Any

from memory_core.contracts.callers import Caller
from memory_core.contracts.memories import Draft
from memory_core.contracts.recall import Narrowing, RecallQuery

SENT_AS_THEY_ARE = (
    "content",
    "category",
    "subject",
    "importance",
    "confidence",
    "tier",
    "observed_at",
    "occurred_at",
    "expire_at",
    "external_id",
    "session_id",
    "position",
    "metadata",
)
SENT_AS_LISTS = ("entities", "tags", "related")
ASKED_AS_THEY_ARE = (
    "owner_id",
    "query",
    "top_k",
    "min_score",
    "token_budget",
    "as_of",
    "session_id",
    "purpose",
    "explain",
    "touch",
    "rerank",
)


def draft_of(values: Mapping[str, Any], by: Caller) -> Draft:
    """Return the draft of one save body; a body without namespace means the home."""
    source = values.get("source", {})
    sent: dict[str, Any] = {n: values[n] for n in SENT_AS_THEY_ARE if n in values}
    sent |= {n: _distinct(values[n]) for n in SENT_AS_LISTS if n in values}
    sent |= {f"source_{name}": value for name, value in source.items()}
    return Draft(
        owner_id=values["owner_id"],
        namespace=values.get("namespace", by.home),
        **sent,
    )


def changes_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return what an update changes: its fields without the ones that address it."""
    addressing = {"owner_id", "memory_id", "expected_version"}
    changes = {n: value for n, value in values.items() if n not in addressing}
    return changes | {n: _distinct(changes[n]) for n in SENT_AS_LISTS if n in changes}


def question_of(values: Mapping[str, Any]) -> RecallQuery:
    """Return the question of one recall body."""
    sent = {name: values[name] for name in ASKED_AS_THEY_ARE if name in values}
    if "namespaces" in values:
        sent["namespaces"] = tuple(values["namespaces"])
    return RecallQuery(
        narrowing=narrowing_of(values.get("filter", {})),
        include_archived="archived" in values.get("include", ()),
        **sent,
    )


def narrowing_of(values: Mapping[str, Any]) -> Narrowing:
    """Return the filter, from a recall's `filter` or from a list's query string."""
    return Narrowing(
        categories=values.get("category", ()),
        tags=values.get("tags", ()),
        source_kinds=values.get("source_kind", ()),
        tiers=values.get("tier", ()),
        metadata=values.get("metadata", {}),
        occurred_after=values.get("occurred_after"),
        occurred_before=values.get("occurred_before"),
    )


def _distinct(values: Any) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(values))
