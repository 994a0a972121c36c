"""Stored memories as records of the format, owner by owner, a few at a time."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from memory_core import isolation
from memory_core.contracts.callers import Actor, Caller, Scope
from memory_core.contracts.enums import Status
from memory_core.models import Owner
from memory_core.prepared import fetch
from memory_core.saving import gates
from memory_core.saving.vectors import from_bytes
from memory_core.snapshots.lines import SCHEMA_VERSION, Record

OWNERS_AT_ONCE = 500
ROWS_AT_ONCE = 500
DIGITS = 6
"""Decimals of a written vector: more than a half float holds."""

SELECTED = """
SELECT m.id, n.name, c.name, m.content, s.kind, s.name, m.observed_at, m.occurred_at,
       m.created_at, u.last_accessed_at, u.access_count, u.base_score, m.importance,
       m.confidence, m.tier, m.status,
       CASE WHEN m.subject_is_assumed THEN '' ELSE m.subject END,
       m.entities, m.tags, m.session_id,
       m.position, m.expire_at, m.external_id, m.related, m.merged_into_id, m.metadata,
       (SELECT array_agg(o.id ORDER BY o.id) FROM memory_core_memory o
         WHERE o.superseded_by_id = m.id),
       (SELECT jsonb_agg(jsonb_build_object('version', v.version, 'event', v.event,
                 'content', v.content, 'category', v.values -> 'category_id',
                 'replaced_at', v.created_at) ORDER BY v.id)
          FROM memory_core_memoryversion v WHERE v.memory_id = m.id),
       e.name, halfvec_send(x.vector)
  FROM memory_core_memory m
  JOIN memory_core_memoryuse u ON u.memory_id = m.id
  JOIN memory_core_namespace n ON n.id = m.namespace_id
  JOIN memory_core_category c ON c.id = m.category_id
  JOIN memory_core_source s ON s.id = m.source_id
  LEFT JOIN memory_core_memoryvector x
    ON x.memory_id = m.id AND x.model_id = %(model)s
  LEFT JOIN memory_core_embeddingmodel e ON e.id = x.model_id
"""
ROWS = f"""{SELECTED}
 WHERE m.owner_id = %(owner)s AND m.namespace_id = ANY(%(spaces)s::bigint[])
   AND (%(after)s::uuid IS NULL OR m.id > %(after)s)
 ORDER BY m.id LIMIT %(limit)s
"""
NAMED = f"{SELECTED} WHERE m.id = ANY(%(ids)s::uuid[])"


def owners(by: Actor, owner_id: str = "") -> Iterator[tuple[int, str]]:
    """Return row and external ids of the owners that the caller may see, in order.

    Of those who are being erased nothing is copied, also not what a hold keeps. What
    is restricted is stored, in copies of ours too, and given to no agent.
    """
    last = 0
    while True:
        with isolation.transaction_for(by):
            rows = Owner.objects.filter(pk__gt=last).order_by("pk")
            if owner_id:
                rows = rows.filter(external_id=owner_id)
            if isinstance(by, Caller):
                rows = rows.filter(restricted_by=None)
            found = list(rows.values_list("pk", "external_id")[:OWNERS_AT_ONCE])
            fenced = gates.fenced(name for _, name in found)
        for pk, external_id in found:
            is_seen = not isinstance(by, Caller) or by.may_see(external_id)
            if is_seen and external_id not in fenced:
                yield pk, external_id
        if len(found) < OWNERS_AT_ONCE:
            return
        last = found[-1][0]


def records(
    by: Actor,
    owner: tuple[int, str],
    namespaces: Sequence[int],
    *,
    model_id: int | None = None,
    categories: dict[int, str],
) -> Iterator[Record]:
    """Return an owner's memories in the order of their ids, with what was before.

    With `model_id` they carry their vectors in that space.
    """
    after: UUID | None = None
    while True:
        rows = _page(by, owner, namespaces, model_id, after)
        for row in rows:
            yield _record(row, owner[1], categories)
        if len(rows) < ROWS_AT_ONCE:
            return
        after = rows[-1][0]


def named(
    ids: Sequence[UUID], owners: Mapping[UUID, str], *, categories: dict[int, str]
) -> dict[UUID, Record]:
    """Return those of the memories that are there, without their vectors.

    `owners` tells the external id of each one's owner. The caller reads for the system.
    """
    rows = fetch(NAMED, {"ids": list(ids), "model": None})
    return {row[0]: _record(row, owners[row[0]], categories) for row in rows}


def _page(
    by: Actor,
    owner: tuple[int, str],
    namespaces: Sequence[int],
    model_id: int | None,
    after: UUID | None,
) -> list[tuple[Any, ...]]:
    values = {
        "owner": owner[0],
        "spaces": list(namespaces),
        "model": model_id,
        "after": after,
        "limit": ROWS_AT_ONCE,
    }
    scope = Scope(owner[0], owner[1], tuple(namespaces))
    with isolation.transaction_for(by, scope):
        return fetch(ROWS, values)


def _record(row: tuple[Any, ...], owner_id: str, categories: dict[int, str]) -> Record:
    (
        identity, namespace, category, content, kind, name, observed_at, occurred_at,
        created_at, accessed_at, accesses, base, importance,
        confidence, tier, status, subject, entities, tags, session_id,
        position, expire_at, external_id, related, merged_into, metadata,
        supersedes, versions, model, vector,
    ) = row  # fmt: skip
    return {
        "schema_version": SCHEMA_VERSION,
        "memory_id": str(identity),
        "owner_id": owner_id,
        "namespace": namespace,
        "type": category,
        "content": content,
        "source": {"kind": kind, "name": name},
        "timestamp": observed_at,
        "occurred_at": occurred_at,
        "created_at": created_at,
        "last_accessed_at": accessed_at,
        "access_count": accesses,
        "base_score": base,
        "importance": importance,
        "confidence": confidence,
        "tier": tier,
        "status": Status(status).word,
        "subject": subject,
        "entities": entities,
        "tags": tags,
        "session_id": session_id,
        "position": position,
        "expire_at": expire_at,
        "external_id": external_id,
        "related": list(map(str, related)),
        "supersedes": list(map(str, supersedes or ())),
        "merged_into": str(merged_into) if merged_into else None,
        "versions": [_version(one, categories) for one in versions or ()],
        "metadata": metadata,
        "embedding_model": model,
        "embedding": _numbers(vector),
    }


def _version(kept: dict[str, Any], categories: dict[int, str]) -> dict[str, Any]:
    version = {
        "version": kept["version"],
        "event": kept["event"],
        "content": kept["content"],
        "replaced_at": kept["replaced_at"].replace("+00:00", "Z"),
    }
    if kept["category"] in categories:
        version["type"] = categories[kept["category"]]
    return version


def _numbers(sent: bytes | None) -> list[float] | None:
    if sent is None:
        return None
    return [round(number, DIGITS) for number in from_bytes(bytes(sent)).tolist()]
