"""Memories in a Mneme service, over its HTTP API."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import TracebackType
from typing import Any

from mneme import jsonlines
from mneme.deciding import is_live, matches
from mneme.errors import NotFound, Unavailable
from mneme.items import MemoryItem
from mneme.protocol import Filter, Found, ImportReport, Saved
from mneme.stores.wire import (
    EMPTIED,
    body_of,
    filter_of,
    found_of,
    item_of,
    line_of,
    params_of,
    report_of,
    saved_of,
)
from mneme.times import format_time, utc_now
from mneme.transport import Params, Transport, segment

PAGE = 100  # memories asked for at once when listing
IMPORT_LINES = 50  # lines sent in one import request; each may need embedding


class ServiceStore:
    """A store over the HTTP API of a service; the token says which agent this is.

    `namespace` is where new memories go; without it, the agent's private one.
    """

    def __init__(self, transport: Transport, *, namespace: str = "") -> None:
        self._http = transport
        self._namespace = namespace

    def save(self, item: MemoryItem, *, key: str | None = None) -> Saved:
        body = body_of(item)
        if item.timestamp is not None:
            body["observed_at"] = format_time(item.timestamp)
        if namespace := item.namespace or self._namespace:
            body["namespace"] = namespace
        if item.external_id:
            body["external_id"] = item.external_id
        return saved_of(self._change("/v1/memory/save", body, key))

    def update(self, item: MemoryItem, *, key: str | None = None) -> Saved:
        # What is empty is sent too, so that an update can empty a field.
        body = {**EMPTIED, **body_of(item), "memory_id": item.memory_id or ""}
        for fixed in ("source", "session_id", "position", "tier"):
            body.pop(fixed, None)
        answer = self._change("/v1/memory/update", body, key)
        return saved_of({"event": "updated", **answer})

    def load(
        self,
        memory_id: str | None = None,
        *,
        owner_id: str,
        external_id: str | None = None,
    ) -> MemoryItem | None:
        if memory_id is None:
            if external_id is None:
                raise ValueError("load needs a memory_id or an external_id")
            return self._named(owner_id, external_id)
        try:
            path = f"/v1/memory/{segment(memory_id)}"
            answer = self._read(path, [("owner_id", owner_id)])
        except NotFound:
            return None
        return item_of(answer, owner_id)

    def search(
        self,
        query: str,
        *,
        owner_id: str,
        limit: int = 10,
        filter: Filter | None = None,
        namespaces: Sequence[str] | None = None,
        session_id: str | None = None,
    ) -> list[Found]:
        body: dict[str, Any] = {"owner_id": owner_id, "query": query, "top_k": limit}
        if wanted := filter_of(filter):
            body["filter"] = wanted
        if namespaces is not None:
            body["namespaces"] = list(namespaces)
        if session_id:
            body["session_id"] = session_id
        path = "/v1/memory/recall"
        answer = self._http.call("POST", path, body=body, repeatable=True)
        recall_id = answer.get("recall_id")
        return [found_of(row, owner_id, recall_id) for row in answer["memories"]]

    def items(
        self, *, owner_id: str, filter: Filter | None = None, status: str = "active"
    ) -> Iterator[MemoryItem]:
        pages = self._pages(owner_id, [("status", status), *params_of(filter)])
        now = utc_now()
        return (
            item
            for item in pages
            if matches(item, filter) and (status != "active" or is_live(item, now))
        )

    def forget(
        self,
        memory_id: str,
        *,
        owner_id: str,
        reason: str = "",
        key: str | None = None,
    ) -> bool:
        body = {"owner_id": owner_id, "memory_id": memory_id}
        if reason:
            body["reason"] = reason
        return bool(self._change("/v1/memory/delete", body, key)["deleted"])

    def export(self, *, owner_id: str | None = None) -> Iterator[MemoryItem]:
        params: Params = [("embeddings", "true")]
        params += [("owner_id", owner_id)] if owner_id else []
        if self._namespace:
            params.append(("namespace", self._namespace))
        promised: int | None = None
        count = 0
        with self._http.stream("/v1/memory/export", params) as lines:
            for text in filter(str.strip, lines):
                line = jsonlines.loads(text)
                if "kind" in line:
                    promised = line.get("counts", {}).get("memories")
                else:
                    count += 1
                    yield MemoryItem.from_dict(line)
        if promised is not None and count != promised:
            raise Unavailable(f"the export ended after {count} of {promised} memories")

    def import_batch(
        self, items: Iterable[MemoryItem], *, dry_run: bool = False
    ) -> ImportReport:
        report, start, rest = ImportReport(), 0, iter(items)
        params: Params = [("dry_run", "true")] if dry_run else []
        if self._namespace:
            params.append(("namespace", self._namespace))
        while chunk := list(islice(rest, IMPORT_LINES)):
            lines = "".join(line_of(item) + "\n" for item in chunk)
            answer = self._http.call(
                "POST",
                "/v1/memory/import",
                lines=lines.encode(),
                params=params,
                repeatable=True,
            )
            report += report_of(answer, start)
            start += len(chunk)
        return report

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> ServiceStore:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _change(
        self, path: str, body: Mapping[str, Any], key: str | None
    ) -> dict[str, Any]:
        # The key makes a repetition safe: the service answers it from its notes.
        return self._http.call(
            "POST", path, body=body, key=key or str(uuid.uuid4()), repeatable=True
        )

    def _read(self, path: str, params: Params) -> dict[str, Any]:
        return self._http.call("GET", path, params=params, repeatable=True)

    def _named(self, owner_id: str, external_id: str) -> MemoryItem | None:
        statuses: Params = [("status", "active"), ("status", "archived")]
        named = list(self._pages(owner_id, [("external_id", external_id), *statuses]))
        active = [item for item in named if item.status == "active"]
        return next(iter(active + named), None)

    def _pages(self, owner_id: str, params: Params) -> Iterator[MemoryItem]:
        asked: Params = [("owner_id", owner_id), ("limit", str(PAGE)), *params]
        cursor: Params = []
        while True:
            page = self._read("/v1/memory", [*asked, *cursor])
            for row in page["memories"]:
                yield item_of(row, owner_id)
            if not page.get("next_cursor"):
                return
            cursor = [("cursor", page["next_cursor"])]
