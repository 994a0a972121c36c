"""The memory as it travels: one frozen record, the same for every back end."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from mneme import checks
from mneme.errors import InvalidItem
from mneme.times import format_time

SCHEMA_VERSION = 1


@dataclass(frozen=True)
class Source:
    """Where a memory came from: its kind and a name within the namespace."""

    kind: str = "inference"
    name: str = ""

    def __post_init__(self) -> None:
        checks.one_of(self.kind, checks.SOURCE_KINDS, "source.kind")
        checks.short_text(self.name, "source.name")


@dataclass(frozen=True, kw_only=True)
class MemoryItem:
    """One memory with the fields of the portable format (docs/portable-format.md).

    Times are aware datetimes in UTC. `timestamp` is when the thing was said or
    learned; left out, the store takes the moment of arrival. A bad value raises
    `InvalidItem` with the field and a code.
    """

    owner_id: str
    content: str
    type: str = "fact"
    source: Source = field(default_factory=Source)
    timestamp: datetime | None = None
    memory_id: str | None = None
    namespace: str = ""
    occurred_at: datetime | None = None
    created_at: datetime | None = None
    last_accessed_at: datetime | None = None
    access_count: int = 0
    base_score: float | None = None
    importance: float | None = None
    confidence: float | None = None
    tier: str = "long"
    status: str = "active"
    subject: str = ""
    entities: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    session_id: str = ""
    position: int | None = None
    expire_at: datetime | None = None
    external_id: str = ""
    related: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    merged_into: str | None = None
    versions: tuple[Mapping[str, Any], ...] = field(default=(), hash=False)
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)
    embedding_model: str = ""
    embedding: tuple[float, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        for name, value in checks.checked_fields(self).items():
            object.__setattr__(self, name, value)

    def to_dict(self) -> dict[str, Any]:
        """Return the portable line as a dict: JSON values, empty fields left out."""
        line: dict[str, Any] = {"schema_version": SCHEMA_VERSION}
        for part in dataclasses.fields(self):
            value = getattr(self, part.name)
            if part.name in _KEPT_WHEN_EMPTY or value not in (None, "", (), {}):
                line[part.name] = _plain(value)
        if line.get("access_count") == 0:
            del line["access_count"]
        return line

    @classmethod
    def from_dict(cls, line: Mapping[str, Any]) -> MemoryItem:
        """Return the memory of one portable line; unknown fields are refused."""
        values = {k: v for k, v in line.items() if v not in (None, "", [], {})}
        version = values.pop("schema_version", None)
        if version != SCHEMA_VERSION or isinstance(version, bool):
            newer = isinstance(version, int) and version > SCHEMA_VERSION
            code = "schema_too_new" if newer else "missing_field"
            raise InvalidItem(code, "schema_version", f"expected {SCHEMA_VERSION}")
        for name in ("owner_id", "type", "content", "source", "timestamp"):
            if name not in values:
                raise InvalidItem("missing_field", name, "is required")
        return cls.from_fields(values)

    @classmethod
    def from_fields(cls, values: Mapping[str, Any]) -> MemoryItem:
        """Return a memory from JSON-like values that need not be a whole line."""
        unknown = sorted(set(values) - _NAMES)
        if unknown:
            raise InvalidItem("unknown_field", unknown[0], "is not a field")
        made = dict(values)
        if "source" in made and not isinstance(made["source"], Source):
            made["source"] = _source_of(made["source"])
        return cls(**made)

    def as_new(self) -> MemoryItem:
        """Return the memory without the fields that only a store may set."""
        return dataclasses.replace(self, **_STORE_OWNED)


_NAMES = {part.name for part in dataclasses.fields(MemoryItem)}
_KEPT_WHEN_EMPTY = {"owner_id", "type", "content", "source", "timestamp"}
_STORE_OWNED: dict[str, Any] = {
    "memory_id": None,
    "created_at": None,
    "last_accessed_at": None,
    "access_count": 0,
    "base_score": None,
    "status": "active",
    "supersedes": (),
    "merged_into": None,
    "versions": (),
    "embedding_model": "",
    "embedding": (),
}


def _source_of(value: object) -> Source:
    if not isinstance(value, Mapping):
        raise InvalidItem("wrong_type", "source", "is not an object")
    unknown = sorted(set(value) - {"kind", "name"})
    if unknown:
        raise InvalidItem("unknown_field", f"source.{unknown[0]}", "is not a field")
    if "kind" not in value:
        raise InvalidItem("missing_field", "source.kind", "is required")
    return Source(kind=value["kind"], name=value.get("name") or "")


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return format_time(value)
    if isinstance(value, Source):
        return {"kind": value.kind, "name": value.name}
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(part) for part in value]
    return value
