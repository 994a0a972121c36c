"""CSV, YAML and plain JSON with a mapping file that says which column is what.

```json
{"fields": {"content": "note", "owner_id": "customer", "timestamp": "written"},
 "defaults": {"type": "preference", "source": {"kind": "user_input", "name": "crm"}},
 "zone": "+08:00", "rows": "data.notes", "external_id_prefix": "crm"}
```

`fields` maps a field of a memory to a column, `defaults` gives what no column says,
`zone` is for times without an offset, `rows` is where the list is in a JSON or YAML
object. Columns that nothing names go to the metadata.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import tzinfo
from pathlib import Path
from typing import Any

from mneme import jsonlines
from mneme.errors import InvalidItem
from mneme.items import MemoryItem, Source
from mneme.move.mappers import Record
from mneme.move.values import (
    Defaults,
    moment,
    rest,
    share,
    source_kind,
    text,
    whole,
    words,
    zone_of,
)

_KEYS = {"fields", "defaults", "zone", "rows", "external_id_prefix"}
_TIMES = ("timestamp", "occurred_at", "created_at", "last_accessed_at", "expire_at")
_SHARES = ("base_score", "importance", "confidence")
_LISTS = ("entities", "tags")
_TEXTS = ("content", "type", "tier", "status", "subject", "session_id")
_MAPPABLE = {
    *(_TIMES + _SHARES + _LISTS + _TEXTS),
    *("owner_id", "external_id", "access_count", "position"),
    *("source.kind", "source.name", "embedding", "embedding_model"),
}


@dataclass(frozen=True)
class FieldMap:
    """A mapping file, checked."""

    fields: Mapping[str, str]
    defaults: Mapping[str, Any] = field(default_factory=dict)
    zone: tzinfo | None = None
    rows: tuple[str, ...] = ()
    external_id_prefix: str = ""


def read_map(path: Path) -> FieldMap:
    """Return the mapping of a file; `ValueError` says what is wrong with it."""
    return map_of(jsonlines.loads(path.read_text(encoding="utf-8-sig")))


def map_of(given: Mapping[str, Any]) -> FieldMap:
    """Return the mapping that an object describes; `ValueError` says what is wrong."""
    if unknown := set(given) - _KEYS:
        raise ValueError(f"the map has no {min(unknown)}")
    fields = given.get("fields") or {}
    if unknown := set(fields) - _MAPPABLE:
        raise ValueError(f"the map cannot fill {min(unknown)}")
    if "content" not in fields:
        raise ValueError("the map does not say which column is the content")
    return FieldMap(
        fields=fields,
        defaults=given.get("defaults") or {},
        zone=zone_of(given["zone"]) if given.get("zone") else None,
        rows=(given["rows"],) if given.get("rows") else (),
        external_id_prefix=given.get("external_id_prefix") or "",
    )


def mapper_of(
    mapping: FieldMap, system: str
) -> Callable[[Record, Defaults], list[MemoryItem]]:
    """Return the mapper that follows a mapping file."""

    def mapped(record: Record, defaults: Defaults) -> list[MemoryItem]:
        return [_memory(record, defaults, mapping, system)]

    return mapped


def _memory(
    record: Record, defaults: Defaults, mapping: FieldMap, system: str
) -> MemoryItem:
    found = {
        name: record[column]
        for name, column in mapping.fields.items()
        if column in record and record[column] not in (None, "")
    }
    zone = mapping.zone or defaults.zone
    values: dict[str, Any] = {**mapping.defaults}
    values["source"] = _source(found, values.pop("source", {}), system)
    values.setdefault("owner_id", defaults.owner_id)
    values.setdefault("namespace", defaults.namespace)
    for name, value in found.items():
        if not name.startswith("source."):
            values[name] = _converted(name, value, zone)
    if values.get("external_id"):
        prefix = mapping.external_id_prefix or system
        values["external_id"] = f"{prefix}:{values['external_id']}"
    values["metadata"] = rest(record, mapping.fields.values())
    return MemoryItem.from_fields(values)


def _converted(name: str, value: Any, zone: tzinfo | None) -> Any:
    if name in _TIMES:
        return moment(value, name, zone)
    if name in _SHARES:
        return share(value, name)
    if name in _LISTS:
        return words(value)
    if name in ("access_count", "position"):
        return whole(value, name)
    if name == "embedding":
        return _vector(value)
    return text(value)


def _source(found: Mapping[str, Any], given: Mapping[str, Any], system: str) -> Source:
    kind = found.get("source.kind", given.get("kind"))
    name = found.get("source.name", given.get("name"))
    return Source(source_kind(kind), text(name) or system)


def _vector(value: Any) -> tuple[float, ...]:
    if isinstance(value, str):
        value = [part for part in value.strip("[] ").split(",") if part.strip()]
    try:
        return tuple(float(part) for part in value)
    except (TypeError, ValueError) as error:
        raise InvalidItem("wrong_type", "embedding", "is no list of numbers") from error
