"""LangGraph's long-term store (`BaseStore`) over any back end.

A LangGraph item is one memory: its namespace and key are the external id, its value is
kept whole in the metadata, and the text to search is made of the value's fields.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
    get_text_at_path,
    validate_op_namespace,
)

from mneme.adapters.langgraph_filters import meets
from mneme.items import MemoryItem, Source
from mneme.keyed import CATEGORY, KEPT, records, save_record
from mneme.langgraph_items import MARK, external_id, leaves, memory_of, tag
from mneme.protocol import Filter, MemoryStore
from mneme.times import utc_now

MOST_FOUND = 100  # the most that one search of the service returns

Namespace = tuple[str, ...]


class MnemeStore(BaseStore):
    """A `BaseStore` whose items are memories of one owner.

    `owner_id` is fixed, or a function from a LangGraph namespace to the owner, as in
    `lambda namespace: namespace[1]`; it raises for a namespace that names nobody, so
    that a search can never run over all users. `fields` are the paths of a value that
    are searched; without them, all of its texts.
    """

    supports_ttl = True

    def __init__(
        self,
        store: MemoryStore,
        owner_id: str | Callable[[Namespace], str],
        *,
        fields: Sequence[str] | None = None,
        ttl: TTLConfig | None = None,
        source_name: str = "langgraph",
        category: str = CATEGORY,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self.ttl_config = ttl
        self._store = store
        self._owner_id = owner_id
        self._fields = fields
        self._source = Source("tool_result", source_name)
        self._category = category
        self._clock = clock

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Carry out the operations: reads first, then the last put of every key."""
        asked = list(ops)
        for op in asked:
            validate_op_namespace(op)
        results: list[Result] = [self._read(op) for op in asked]
        puts = {(op.namespace, op.key): op for op in asked if isinstance(op, PutOp)}
        for op in puts.values():
            self._put(op)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Do the same without holding up the event loop."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _read(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            return self._get(op)
        if isinstance(op, SearchOp):
            return self._search(op)
        if isinstance(op, ListNamespacesOp):
            return self._namespaces(op)
        return None

    def _get(self, op: GetOp) -> Item | None:
        memory = self._memory(op.namespace, op.key)
        if memory is None:
            return None
        if op.refresh_ttl:
            self._refresh(memory)
        return Item(**_parts(memory))

    def _search(self, op: SearchOp) -> list[SearchItem]:
        owner_id = self._owner(op.namespace_prefix)
        wanted = Filter(tags=(tag(op.namespace_prefix),))
        scored: list[tuple[MemoryItem, float | None]]
        if op.query:
            most = MOST_FOUND if op.filter else min(MOST_FOUND, op.limit + op.offset)
            found = self._store.search(
                op.query, owner_id=owner_id, limit=most, filter=wanted
            )
            scored = [(f.item, f.score) for f in found if _entry(f.item)["indexed"]]
        else:
            memories = records(self._store, owner_id, wanted)
            newest = sorted(memories, key=_updated, reverse=True)
            scored = [(memory, None) for memory in newest]
        hits = [
            (memory, score)
            for memory, score in scored
            if self._is_live(memory) and meets(_entry(memory)["value"], op.filter or {})
        ][op.offset : op.offset + op.limit]
        if op.refresh_ttl:
            for memory, _ in hits:
                self._refresh(memory)
        return [SearchItem(**_parts(memory), score=score) for memory, score in hits]

    def _namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        conditions = op.match_conditions or ()
        prefix = next((c.path for c in conditions if c.match_type == "prefix"), ())
        wanted = Filter(tags=(tag(()),))
        memories = records(self._store, self._owner(prefix), wanted)
        found = {
            tuple(_entry(memory)["namespace"])[: op.max_depth]
            for memory in memories
            if self._is_live(memory)
            and all(_matches(_entry(memory)["namespace"], c) for c in conditions)
        }
        return sorted(found)[op.offset : op.offset + op.limit]

    def _put(self, op: PutOp) -> None:
        if op.value is None:
            self._delete(op)
            return
        save_record(self._store, self._made(op), "/".join((*op.namespace, op.key)))

    def _delete(self, op: PutOp) -> None:
        owner_id = self._owner(op.namespace)
        memory = self._store.load(
            owner_id=owner_id, external_id=external_id(op.namespace, op.key)
        )
        if memory is not None and memory.memory_id:
            self._store.forget(memory.memory_id, owner_id=owner_id)

    def _made(self, op: PutOp) -> MemoryItem:
        value = json.loads(json.dumps(dict(op.value or {}), allow_nan=False))
        paths = self._fields if op.index is None else op.index
        ends = self._clock() + timedelta(minutes=op.ttl) if op.ttl else None
        return memory_of(
            self._owner(op.namespace),
            op.namespace,
            op.key,
            value,
            text="" if paths is False else _text_of(value, paths),
            source=self._source,
            category=self._category,
            ttl=op.ttl,
            expire_at=ends,
        )

    def _memory(self, namespace: Namespace, key: str) -> MemoryItem | None:
        memory = self._store.load(
            owner_id=self._owner(namespace), external_id=external_id(namespace, key)
        )
        return memory if memory is not None and self._is_live(memory) else None

    def _refresh(self, memory: MemoryItem) -> None:
        minutes = _entry(memory).get("ttl")
        if not minutes or memory.memory_id is None:
            return
        # What a search returns need not be whole, and an update replaces all fields.
        whole = self._store.load(memory.memory_id, owner_id=memory.owner_id)
        if whole is not None:
            ends = self._clock() + timedelta(minutes=minutes)
            self._store.update(replace(whole, expire_at=ends))

    def _is_live(self, memory: MemoryItem) -> bool:
        ours = MARK in memory.metadata and memory.status in KEPT
        return ours and (memory.expire_at is None or memory.expire_at > self._clock())

    def _owner(self, namespace: Sequence[str]) -> str:
        if isinstance(self._owner_id, str):
            return self._owner_id
        try:
            owner_id = self._owner_id(tuple(namespace))
        except (LookupError, ValueError):
            owner_id = ""
        if not owner_id or owner_id == "*":
            raise ValueError(f"the namespace {tuple(namespace)} names no owner")
        return owner_id


def _entry(memory: MemoryItem) -> Mapping[str, Any]:
    entry: Mapping[str, Any] = memory.metadata[MARK]
    return entry


def _parts(memory: MemoryItem) -> dict[str, Any]:
    entry = _entry(memory)
    return {
        "value": dict(entry["value"]),
        "key": entry["key"],
        "namespace": tuple(entry["namespace"]),
        "created_at": memory.created_at or memory.timestamp,
        "updated_at": _updated(memory),
    }


def _updated(memory: MemoryItem) -> Any:
    return memory.timestamp or memory.created_at


def _text_of(value: Any, paths: Sequence[str] | None) -> str:
    """Return the texts at the paths, or all texts of the value, a line each."""
    if paths is None or list(paths) == ["$"]:
        return "\n".join(leaves(value))
    return "\n".join(
        text for path in paths for text in get_text_at_path(value, path) if text
    )


def _matches(namespace: Sequence[str], condition: MatchCondition) -> bool:
    path = condition.path
    if len(path) > len(namespace):
        return False
    at_start = condition.match_type == "prefix"
    part = (
        namespace[: len(path)] if at_start else namespace[len(namespace) - len(path) :]
    )
    return all(want in ("*", have) for want, have in zip(path, part, strict=True))
