"""A line of a file as a draft, and the memory that keeps what the line says."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

import numpy as np

from memory_core.contracts.enums import EmbeddingState, Status
from memory_core.contracts.memories import Draft, Imported
from memory_core.contracts.relation import Vector
from memory_core.models import Memory, MemoryVersion
from memory_core.saving import lookups
from memory_core.saving.adding import Place
from memory_core.saving.decide import Decision
from memory_core.saving.holding import reasons_to_hold
from memory_core.saving.preparing import Prepared
from memory_core.saving.rows import new_row
from memory_core.screening import redact_secrets
from memory_core.snapshots.lines import Record

Age = Literal["touch", "keep"]

CURRENT = ("active", "pending")
RECALLABLE = ("archived", "expired")
"""States in which a recall can still find a memory, if it asks for it."""
WAITED = "waited_where_it_came_from"
"""Why a memory waits for a person that had been waiting in the other installation."""


@dataclass(frozen=True, slots=True)
class Line:
    """A memory of a file: its line number from 1, its bytes, its fields."""

    number: int
    raw: bytes
    record: Record

    @property
    def status(self) -> str:
        return str(self.record.get("status", "active"))

    @property
    def is_current(self) -> bool:
        """Whether it was active or waiting, and no piece of history."""
        return self.status in CURRENT


def draft_of(record: Record, *, namespace: str, age: Age, now: datetime) -> Draft:
    """Return the draft of a line.

    The clock starts at the last access that the file tells. Where it tells none, the
    move counts as one (`touch`), unless the old age is to be kept (`keep`).
    """
    source: Mapping[str, str] = record["source"]
    accessed = record.get("last_accessed_at")
    if accessed is None and age == "touch":
        accessed = now
    return Draft(
        owner_id=record["owner_id"],
        content=record["content"],
        namespace=namespace,
        category=record["type"],
        source_kind=source["kind"],
        source_name=source.get("name", ""),
        subject=record.get("subject", ""),
        entities=record.get("entities", ()),
        tags=record.get("tags", ()),
        importance=record.get("importance"),
        confidence=record.get("confidence"),
        tier=record.get("tier", "long"),
        observed_at=record["timestamp"],
        occurred_at=record.get("occurred_at"),
        expire_at=record.get("expire_at"),
        external_id=record.get("external_id", ""),
        session_id=record.get("session_id", ""),
        position=record.get("position"),
        metadata=record.get("metadata", {}),
        imported=Imported(
            base_score=record.get("base_score"),
            last_accessed_at=min(accessed, now) if accessed else None,
            access_count=record.get("access_count", 0),
        ),
    )


def ids_of(record: Record, *, owner: str, namespace: str) -> tuple[UUID | None, UUID]:
    """Return the id of the file, if it is a UUID, and the one to take instead.

    The second is made from the first, so that the same file finds it again; like the
    ids of the service it starts with a time.
    """
    sent = record.get("memory_id")
    return (as_uuid(sent), derived_id(sent, record, owner=owner, namespace=namespace))


def as_uuid(sent: str | None) -> UUID | None:
    """Return an id of the file if it has the form of ours."""
    try:
        return UUID(sent) if sent else None
    except ValueError:
        return None


def derived_id(sent: str | None, record: Record, *, owner: str, namespace: str) -> UUID:
    """Return a UUIDv7 made from an id, or without one from the statement itself."""
    moment: datetime = record["timestamp"]
    name = sent or f"{record['type']}\x00{moment.isoformat()}\x00{record['content']}"
    key = f"{namespace}\x00{owner}\x00{name}".encode("utf-8", "surrogatepass")
    own = as_uuid(sent)
    milliseconds = max(0, int(moment.timestamp() * 1000)) & (2**48 - 1)
    front = own.bytes[:6] if own and own.version == 7 else milliseconds.to_bytes(6)
    body = bytearray(front + hashlib.blake2b(key, digest_size=10).digest())
    body[6] = 0x70 | body[6] & 0x0F
    body[8] = 0x80 | body[8] & 0x3F
    return UUID(bytes=bytes(body))


def row_of(line: Line, prepared: Prepared, place: Place, identity: UUID) -> Memory:
    """Return the unsaved memory of a line.

    It waits for a person if screening, its rights or the file say so; what was
    replaced or rejected stays so, whatever screening says of it.
    """
    reasons = reasons_to_hold(prepared)
    if line.status == "pending" and not reasons:
        reasons = (WAITED,)
    memory = new_row(
        prepared,
        owner=place.owner,
        source=place.source,
        decision=Decision(),
        reasons=reasons,
    )
    memory.id = identity
    memory.created_at = min(line.record.get("created_at", prepared.now), prepared.now)
    memory.version = version_of(line.record)
    memory.embedding = EmbeddingState.QUEUED
    if not line.is_current and not (reasons and line.status in RECALLABLE):
        memory.status = Status.of(line.status)
    if memory.status == Status.SUPERSEDED:
        memory.until = memory.observed_at
    if memory.status == Status.ARCHIVED:
        memory.archived_at = prepared.now
    return memory


def version_of(record: Record) -> int:
    """Return the number of the present version, after those that the line keeps."""
    versions = record.get("versions", ())
    return 1 + max((one["version"] for one in versions), default=0)


def versions_of(
    line: Line, memory: Memory, *, by: str, token_prefix: str
) -> list[MemoryVersion]:
    """Return the unsaved earlier versions of a line."""
    return [
        MemoryVersion(
            memory=memory,
            version=one["version"],
            event=one.get("event", "updated"),
            content=redact_secrets(one["content"]).text,
            values=_version_values(one),
            changed_by=by,
            token_prefix=token_prefix,
            created_at=one["replaced_at"],
        )
        for one in line.record.get("versions", ())
    ]


def vector_of(record: Record, *, model: str, dimensions: int) -> Vector | None:
    """Return the line's vector if it is one of that space."""
    found: Vector | None = record.get("embedding")
    if found is None or record.get("embedding_model") != model:
        return None
    if len(found) != dimensions:
        return None
    length = float(np.linalg.norm(found))
    return found / length if length > 0 else None


def _version_values(one: Mapping[str, Any]) -> dict[str, Any]:
    if "type" not in one:
        return {}
    return {"category_id": lookups.category(one["type"]).id}
