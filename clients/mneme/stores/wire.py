"""Memories and answers as the API's JSON says them. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mneme import jsonlines
from mneme.items import MemoryItem, Source
from mneme.protocol import BadLine, Filter, Found, ImportReport, Saved
from mneme.times import format_time, utc_now
from mneme.transport import Params


def body_of(item: MemoryItem) -> dict[str, Any]:
    """Return the fields that a save and an update have in common."""
    body: dict[str, Any] = {
        "owner_id": item.owner_id,
        "content": item.content,
        "category": item.type,
        "source": {"kind": item.source.kind, "name": item.source.name},
    }
    line = item.to_dict()
    for name in _PLAIN_FIELDS:
        if name in line:
            body[name] = line[name]
    if item.tier != "long":
        body["tier"] = item.tier
    return body


_PLAIN_FIELDS = (
    "subject",
    "entities",
    "tags",
    "importance",
    "confidence",
    "occurred_at",
    "expire_at",
    "session_id",
    "position",
    "metadata",
    "related",
)


def line_of(item: MemoryItem) -> str:
    """Return the line of an import; a memory without a time gets the present one."""
    if item.timestamp is None:
        item = replace(item, timestamp=utc_now())
    return jsonlines.dumps(item.to_dict())


# The fields that an update can empty, as it sends them then.
EMPTIED: dict[str, Any] = {
    **dict.fromkeys(("entities", "tags", "related"), ()),
    **dict.fromkeys(("occurred_at", "expire_at"), None),
    "subject": "",
    "metadata": {},
}


def params_of(wanted: Filter | None) -> Params:
    """Return the part of a filter that a list of the service understands."""
    if wanted is None:
        return []
    params: Params = [("category", name) for name in wanted.types]
    params += [("tags", tag) for tag in wanted.tags]
    params += [("source_kind", wanted.source_kind)] if wanted.source_kind else []
    return params + ([("tier", wanted.tier)] if wanted.tier else [])


def filter_of(wanted: Filter | None) -> dict[str, Any]:
    """Return a recall's `filter`, {} if nothing is asked for."""
    if wanted is None:
        return {}
    values = {
        "category": list(wanted.types),
        "tags": list(wanted.tags),
        "source_kind": wanted.source_kind,
        "tier": wanted.tier,
        "occurred_after": wanted.occurred_after and format_time(wanted.occurred_after),
        "occurred_before": wanted.occurred_before
        and format_time(wanted.occurred_before),
        "metadata": dict(wanted.metadata),
    }
    return {name: value for name, value in values.items() if value}


def saved_of(answer: Mapping[str, Any]) -> Saved:
    """Return what a save or an update answered."""
    review = answer.get("review") or {}
    return Saved(
        memory_id=answer.get("memory_id"),
        event=str(answer["event"]),
        status=str(answer.get("status") or "active"),
        superseded=tuple(answer.get("superseded") or ()),
        reasons=tuple(review.get("reasons") or ()),
    )


def found_of(row: Mapping[str, Any], owner_id: str, recall_id: str | None) -> Found:
    """Return one memory of a recall."""
    return Found(
        item=item_of(row, owner_id),
        score=float(row["rank_score"]),
        trust=str((row.get("source") or {}).get("trust") or "normal"),
        recall_id=recall_id,
    )


# Fields that the API shows under the same name as the portable format.
_SHOWN = (
    *("memory_id", "content", "namespace", "tier", "status", "metadata", "subject"),
    *("entities", "tags", "importance", "confidence", "access_count"),
    *("occurred_at", "created_at", "last_accessed_at", "expire_at", "external_id"),
    *("session_id", "position"),
)


def item_of(row: Mapping[str, Any], owner_id: str) -> MemoryItem:
    """Return the memory of an answer; what the API adds beside it is left out."""
    values = {n: row[n] for n in _SHOWN if row.get(n) not in (None, "", [], {})}
    lineage = row.get("lineage") or {}
    for name in ("related", "merged_into"):
        if lineage.get(name):
            values[name] = lineage[name]
    source = row.get("source") or {}
    values["source"] = Source(source.get("kind", "import"), source.get("name") or "")
    values["type"] = row["category"]
    values["timestamp"] = row.get("observed_at")
    return MemoryItem(owner_id=owner_id, **values)


def report_of(answer: Mapping[str, Any], start: int) -> ImportReport:
    """Return the counts of one import request; `start` lines went before it."""
    bad = tuple(
        BadLine(
            line=int(line.get("line") or 0) + start,
            code=str(line.get("code") or ""),
            message=str(line.get("message") or ""),
            field=str(line.get("field") or ""),
        )
        for line in answer.get("quarantined") or ()
    )
    counts = {
        name: int(answer.get(name) or 0)
        for name in ("added", "updated", "unchanged", "refused", "held")
    }
    return ImportReport(**counts, bad_lines=bad)
