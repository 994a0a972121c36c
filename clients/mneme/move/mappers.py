"""One function a system: a record of its dump -> memories. Pure.

What has no field here goes to the metadata under its own name; ids become external
ids; a record that cannot be a memory raises `InvalidItem`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from mneme import graph, langgraph_items
from mneme.errors import InvalidItem
from mneme.items import MemoryItem, Source
from mneme.keyed import CATEGORY
from mneme.move.values import Defaults, category, moment, rest, share, text, words

Record = Mapping[str, Any]
Mapper = Callable[[Record, Defaults], list[MemoryItem]]


def portable(record: Record, defaults: Defaults) -> list[MemoryItem]:
    """Our own format; the manifest is no memory."""
    return [] if "kind" in record else [MemoryItem.from_dict(record)]


def mem0(record: Record, defaults: Defaults) -> list[MemoryItem]:
    """mem0: `memory` (older: `data`, `text`), user, agent or run id, categories."""
    used = (
        *("memory", "data", "text", "id", "user_id", "created_at", "updated_at"),
        *("categories", "run_id", "expiration_date", "event", "hash", "score"),
    )
    meta = record.get("metadata") or {}
    content = record.get("memory") or record.get("data") or record.get("text")
    if isinstance(content, Mapping):
        content = content.get("memory")
    zone = defaults.zone
    said = moment(meta.get("observation_date"), "observation_date", zone)
    return [
        MemoryItem(
            owner_id=_mem0_owner(record, defaults),
            content=text(content),
            type=category(meta.get("category")),
            source=Source("import", "mem0"),
            timestamp=said
            or moment(record.get("updated_at"), "updated_at", zone)
            or moment(record.get("created_at"), "created_at", zone),
            created_at=moment(record.get("created_at"), "created_at", zone),
            expire_at=moment(record.get("expiration_date"), "expiration_date", zone),
            tags=words(record.get("categories")),
            session_id=text(record.get("run_id")),
            external_id=_id("mem0", record.get("id")),
            namespace=defaults.namespace,
            metadata=rest(record, used),
        )
    ]


def langgraph(record: Record, defaults: Defaults) -> list[MemoryItem]:
    """A LangGraph store: `namespace` (list) or `prefix` (a.b), `key`, `value`."""
    namespace = record.get("namespace") or text(record.get("prefix")).split(".")
    value = record.get("value")
    if not isinstance(value, Mapping):
        raise InvalidItem("wrong_type", "value", "is not an object")
    updated = moment(record.get("updated_at"), "updated_at", defaults.zone)
    created = moment(record.get("created_at"), "created_at", defaults.zone)
    item = langgraph_items.memory_of(
        defaults.owner_id,
        [text(label) for label in namespace],
        text(record.get("key")),
        value,
        text="\n".join(langgraph_items.leaves(value)),
        source=Source("import", "langgraph"),
        category=CATEGORY,
        ttl=record.get("ttl_minutes"),
        expire_at=moment(record.get("expires_at"), "expires_at", defaults.zone),
    )
    return [_with(item, defaults, timestamp=updated or created, created_at=created)]


def letta(record: Record, defaults: Defaults) -> list[MemoryItem]:
    """Letta: memory blocks (`label`, `value`) and archival passages (`text`)."""
    block = "label" in record
    used = (
        "value",
        "text",
        "id",
        "created_at",
        "tags",
        "embedding",
        "embedding_config",
    )
    vector = record.get("embedding") or ()
    config = record.get("embedding_config") or {}
    model = text(config.get("embedding_model")) if vector else ""
    created = moment(record.get("created_at"), "created_at", defaults.zone)
    return [
        MemoryItem(
            owner_id=defaults.owner_id,
            content=text(record.get("value") if block else record.get("text")),
            type="profile" if block and record["label"] == "human" else "fact",
            source=Source("import", "letta"),
            timestamp=created,
            created_at=created,
            tags=words(record.get("tags")),
            external_id=_id("letta", record.get("id")),
            namespace=defaults.namespace,
            metadata=rest(record, used),
            embedding=tuple(vector) if model else (),
            embedding_model=model,
        )
    ]


def zep(record: Record, defaults: Defaults) -> list[MemoryItem]:
    """Zep and Graphiti: facts with their validity, nodes with their summaries."""
    used = (
        *("fact", "summary", "uuid", "created_at", "valid_at", "name", "rating"),
        *("fact_embedding", "name_embedding", "user_id", "group_id"),
    )
    zone = defaults.zone
    ended = record.get("invalid_at") or record.get("expired_at")
    content = text(record.get("fact"))
    if not content and record.get("summary"):
        content = f"{text(record.get('name'))}: {text(record['summary'])}"
    created = moment(record.get("created_at"), "created_at", zone)
    owner_id = text(record.get("user_id") or record.get("group_id"))
    return [
        MemoryItem(
            owner_id=owner_id or defaults.owner_id,
            content=content,
            source=Source("import", "zep"),
            timestamp=moment(record.get("valid_at"), "valid_at", zone) or created,
            occurred_at=moment(record.get("valid_at"), "valid_at", zone),
            created_at=created,
            status="superseded" if ended else "active",
            importance=share(record.get("rating"), "rating"),
            entities=words([record["name"]] if "summary" in record else ()),
            external_id=_id("zep", record.get("uuid")),
            namespace=defaults.namespace,
            metadata={**rest(record, used), **_named(record)},
        )
    ]


def mcp(record: Record, defaults: Defaults) -> list[MemoryItem]:
    """The memory server of MCP: a line is an entity with observations or a relation."""
    owner_id, source = defaults.owner_id, Source("import", "mcp")
    if record.get("type") == "relation":
        items = [graph.relation_memory(owner_id, record, source)]
    elif record.get("type") == "entity":
        name = text(record.get("name"))
        kind = text(record.get("entityType"))
        items = [graph.entity_memory(owner_id, name, kind, source)]
        items += [
            graph.observation_memory(owner_id, name, text(observation), source)
            for observation in record.get("observations") or ()
        ]
    else:
        raise InvalidItem("out_of_range", "type", "is neither entity nor relation")
    return [_with(item, defaults) for item in items]


MAPPERS: dict[str, Mapper] = {
    "mneme": portable,
    "mem0": mem0,
    "langgraph": langgraph,
    "letta": letta,
    "zep": zep,
    "mcp": mcp,
}
# Where the entries are when a dump is one object.
PLACES: dict[str, tuple[str, ...]] = {
    "mem0": ("results", "memories"),
    "langgraph": ("items", "results"),
    "letta": ("blocks", "passages", "archival_memory"),
    "zep": ("facts", "edges", "nodes"),
    "mcp": (),
    "mneme": (),
}


def _mem0_owner(record: Record, defaults: Defaults) -> str:
    if record.get("user_id"):
        return text(record["user_id"])
    if defaults.owner_id:
        return defaults.owner_id
    for name in ("agent", "run"):
        if record.get(f"{name}_id"):
            return f"{name}:{text(record[f'{name}_id'])}"
    return ""


def _id(system: str, value: Any) -> str:
    return f"{system}:{text(value)}" if value else ""


def _named(record: Record) -> dict[str, str]:
    """Return the name of a fact's relation; a node's name is in its text."""
    relation = text(record.get("name")) if "fact" in record else ""
    return {"relation": relation} if relation else {}


def _with(item: MemoryItem, defaults: Defaults, **changes: Any) -> MemoryItem:
    return dataclasses.replace(item, namespace=defaults.namespace, **changes)
