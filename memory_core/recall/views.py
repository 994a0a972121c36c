"""Memories as `MemoryView`s: one statement reads them, one function makes them."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson

from memory_core.contracts.enums import Status, Tier
from memory_core.contracts.views import MemoryView, SourceView
from memory_core.prepared import fetch
from memory_core.recall.rows import POLICY, TRUST
from memory_core.recall.sql import ids_literal
from memory_core.scoring import Policy, Strength, live_score

COLUMNS = (
    "m.id", "m.content", "c.name", "m.tier", "m.status", "s.kind", "s.name", TRUST,
    "n.name", "m.subject", "m.entities", "m.tags", "m.metadata::text", "m.importance",
    "m.confidence", "m.observed_at", "m.occurred_at", "m.expire_at", "m.created_at",
    "m.updated_at", "u.last_accessed_at", "u.access_count", "m.session_id",
    "m.position", "m.external_id", "m.version", "m.embedding", "m.until",
    "m.superseded_by_id", "m.merged_into_id", "m.derived_from", "m.related",
    "m.reviewed_at", "m.decision::text", "m.verdict::text", "u.base_score",
    "coalesce(o.half_life, c.half_life)", "coalesce(o.floor, c.floor)",
    "coalesce(o.bonus_cap, c.bonus_cap)", "c.has_deadline",
)  # fmt: skip

MEMORIES = f"""
SELECT {", ".join(COLUMNS)}
FROM memory_core_memory m
 JOIN memory_core_memoryuse u ON u.memory_id = m.id
 JOIN memory_core_namespace n ON n.id = m.namespace_id
 JOIN memory_core_source s ON s.id = m.source_id {POLICY}
"""


def views_of(memory_ids: Iterable[UUID], *, now: datetime) -> dict[UUID, MemoryView]:
    """Return the views of those of `memory_ids` that the transaction may see."""
    ids = ids_literal(memory_ids)
    rows = fetch(f"{MEMORIES} WHERE m.id = ANY(%s::uuid[])", [ids])
    return {row[0]: view_of(row, now=now) for row in rows}


def view_of(row: tuple[Any, ...], *, now: datetime) -> MemoryView:
    """Return the view of one row of `MEMORIES`, with its live score at `now`."""
    (
        memory_id, content, category, tier, status, kind, name, trust,
        namespace, subject, entities, tags, metadata, importance,
        confidence, observed_at, occurred_at, expire_at, created_at,
        updated_at, accessed_at, accesses, session_id,
        position, external_id, version, embedding, until,
        superseded_by, merged_into, derived_from, related,
        reviewed_at, decision, verdict, base,
        half_life, floor, bonus_cap, has_deadline,
    ) = row  # fmt: skip
    strength = Strength(
        base,
        accessed_at or observed_at,
        accesses,
        tier == Tier.PERMANENT,
        expire_at if has_deadline else None,
    )
    policy = Policy(half_life, floor, bonus_cap, has_deadline=has_deadline)
    return MemoryView(
        memory_id=memory_id,
        content=content,
        category=category,
        tier=tier,
        status=Status(status).word,
        score=live_score(strength, policy, now=now),
        source=SourceView(kind, name, trust),
        namespace=namespace,
        subject=subject,
        entities=tuple(entities),
        tags=tuple(tags),
        metadata=_json(metadata),
        importance=importance,
        confidence=confidence,
        observed_at=observed_at,
        occurred_at=occurred_at,
        expire_at=expire_at,
        created_at=created_at,
        updated_at=updated_at,
        last_accessed_at=accessed_at,
        access_count=accesses,
        session_id=session_id,
        position=position,
        external_id=external_id,
        version=version,
        embedding=embedding,
        until=until,
        superseded_by=superseded_by,
        merged_into=merged_into,
        derived_from=tuple(derived_from),
        related=tuple(related),
        reviewed_at=reviewed_at,
        decision=_json(decision),
        verdict=_json(verdict),
    )


def _json(text: str) -> Mapping[str, Any]:
    if text == "{}":
        return {}
    value: Mapping[str, Any] = orjson.loads(text)
    return value
