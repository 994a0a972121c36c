"""A small service on a loopback port that speaks the API over a local store.

It stands in for the real one where only the client's side is under test: it refuses
unknown fields, honours idempotency keys and can be told to fail.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

from mneme.errors import InvalidItem, NotFound
from mneme.items import MemoryItem
from mneme.protocol import Filter
from mneme.stores.sqlite import SQLiteStore
from mneme.times import parse_time

TOKEN = "mnm_test"
_SAVE = {
    *("owner_id", "content", "category", "source", "namespace", "subject", "entities"),
    *("tags", "importance", "confidence", "tier", "observed_at", "occurred_at"),
    *("expire_at", "external_id", "session_id", "position", "metadata", "related"),
}
_UPDATE = {
    *("owner_id", "memory_id", "content", "category", "subject", "entities", "tags"),
    *("importance", "confidence", "tier", "occurred_at", "expire_at", "metadata"),
    "related",
}
_LIST = {
    *("owner_id", "category", "status", "source_kind", "tier", "tags", "namespaces"),
    *("session_id", "external_id", "cursor", "limit"),
}
_RECALL = {"owner_id", "query", "top_k", "filter", "namespaces", "session_id"}


class Problem(Exception):
    def __init__(self, status: int, code: str, detail: str = "") -> None:
        super().__init__(detail)
        self.status, self.code, self.detail = status, code, detail


class FakeService(ThreadingHTTPServer):
    """`fail` may hold functions that are asked before or after a request is done."""

    daemon_threads = True

    def __init__(self, path: Path, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.store = SQLiteStore(path)
        self.answers: dict[str, tuple[bytes, int, dict[str, Any]]] = {}
        self.requests: list[tuple[str, str, str | None]] = []
        self.connections: set[tuple[str, int]] = set()
        self.before: list[Callable[[], str | int | None]] = []
        self.after: list[Callable[[], str | int | None]] = []
        self.longest_export: int | None = None
        self.lock = threading.RLock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


@contextmanager
def running(path: Path, port: int = 0) -> Iterator[FakeService]:
    service = FakeService(path, port)
    thread = threading.Thread(target=service.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield service
    finally:
        service.shutdown()
        service.server_close()
        service.store.close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: FakeService

    def log_message(self, *args: object) -> None:
        pass

    def handle_one_request(self) -> None:
        self.server.connections.add(self.client_address)
        super().handle_one_request()

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def _answer(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        path = urlsplit(self.path).path
        key = self.headers.get("Idempotency-Key")
        self.server.requests.append((self.command, path, key))
        fault = self.server.before.pop(0)() if self.server.before else None
        if fault is None:
            with self.server.lock:
                status, answer = self._once(key, body)
            fault = self.server.after.pop(0)() if self.server.after else None
        if fault == "drop":
            self.close_connection = True
            return
        if isinstance(fault, int):
            status, answer = fault, {"code": "trouble", "detail": "told to fail"}
        if isinstance(answer, str):
            self._send(status, answer.encode(), "application/x-ndjson")
        else:
            self._send(status, json.dumps(answer).encode(), "application/json")

    def _once(self, key: str | None, body: bytes) -> tuple[int, Any]:
        if key and key in self.server.answers:
            said, status, answer = self.server.answers[key]
            if said != body:
                return 409, {"code": "idempotency_conflict", "detail": "other body"}
            return status, answer
        try:
            if self.headers.get("Authorization") != f"Bearer {TOKEN}":
                raise Problem(401, "not_authenticated", "the token is not known")
            status, answer = self._route(body)
        except Problem as problem:
            return problem.status, {"code": problem.code, "detail": problem.detail}
        except NotFound:
            return 404, {"code": "not_found", "detail": "no such memory"}
        except InvalidItem as error:
            fields = [{"field": error.field, "code": error.code, "message": str(error)}]
            return 422, {"code": error.code, "detail": "bad", "errors": fields}
        if key:
            self.server.answers[key] = (body, status, answer)
        return status, answer

    def _route(self, body: bytes) -> tuple[int, Any]:
        parts = urlsplit(self.path)
        query = dict(parse_qsl(parts.query))
        name = parts.path.removeprefix("/v1/memory").strip("/")
        if self.command == "POST" and name == "import":
            return 200, self._import(body, query)
        if self.command == "POST":
            return _VERBS[name](self.server.store, json.loads(body))
        if name == "export":
            rows = self.server.store.export(owner_id=query.get("owner_id"))
            lines = [json.dumps(item.to_dict()) for item in rows]
            manifest = {"kind": "mneme.export", "counts": {"memories": len(lines)}}
            lines = lines[: self.server.longest_export]
            return 200, "\n".join([json.dumps(manifest), *lines]) + "\n"
        if name == "":
            statuses = parse_qs(parts.query)["status"]
            return 200, _page(self.server.store, query, statuses)
        item = self.server.store.load(name, owner_id=query["owner_id"])
        if item is None:
            raise NotFound(name)
        return 200, _shown(item)

    def _import(self, body: bytes, query: dict[str, str]) -> dict[str, Any]:
        lines = body.decode().splitlines()
        report = self.server.store.import_batch(
            [MemoryItem.from_dict(json.loads(line)) for line in lines],
            dry_run=query.get("dry_run") == "true",
        )
        return {
            "lines": len(lines),
            "added": report.added,
            "updated": report.updated,
            "unchanged": report.unchanged,
            "quarantined": [],
        }

    def _send(self, status: int, data: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _save(store: SQLiteStore, body: dict[str, Any]) -> tuple[int, Any]:
    saved = store.save(_item_from(body, _SAVE))
    status = 201 if saved.event == "added" else 200
    return status, {
        "memory_id": saved.memory_id,
        "event": saved.event,
        "status": saved.status,
    }


def _update(store: SQLiteStore, body: dict[str, Any]) -> tuple[int, Any]:
    old = store.load(body["memory_id"], owner_id=body["owner_id"])
    if old is None:
        raise NotFound(body["memory_id"])
    _refuse_unknown(body, _UPDATE)
    merged = {**old.to_dict(), **body, "type": body["category"]}
    merged.pop("category")
    merged.pop("schema_version")
    saved = store.update(MemoryItem.from_fields(merged))
    item = store.load(saved.memory_id, owner_id=body["owner_id"])
    assert item is not None
    return 200, {**_shown(item), "event": saved.event}


def _recall(store: SQLiteStore, body: dict[str, Any]) -> tuple[int, Any]:
    _refuse_unknown(body, _RECALL)
    if not 1 <= len(body["query"]) <= 1_000:
        raise Problem(422, "too_long", "1 to 1,000 characters")
    wanted = dict(body.get("filter") or {})
    wanted["types"] = tuple(wanted.pop("category", ()))
    wanted["tags"] = tuple(wanted.get("tags", ()))
    for name in ("occurred_after", "occurred_before"):
        if name in wanted:
            wanted[name] = parse_time(wanted[name], name)
    found = store.search(
        body["query"],
        owner_id=body["owner_id"],
        limit=body["top_k"],
        filter=Filter(**wanted),
        namespaces=body.get("namespaces"),
    )
    rows = [{**_shown(one.item), "rank_score": one.score, "score": 1} for one in found]
    return 200, {"recall_id": "r1", "memories": rows, "withheld": {}, "hints": []}


def _delete(store: SQLiteStore, body: dict[str, Any]) -> tuple[int, Any]:
    _refuse_unknown(body, {"owner_id", "memory_id", "reason"})
    done = store.forget(body["memory_id"], owner_id=body["owner_id"])
    return 200, {"deleted": done}


_VERBS = {"save": _save, "update": _update, "recall": _recall, "delete": _delete}


def _page(
    store: SQLiteStore, query: dict[str, str], statuses: list[str]
) -> dict[str, Any]:
    _refuse_unknown(query, _LIST)
    rows = [
        item
        for status in statuses
        for item in store.items(owner_id=query["owner_id"], status=status)
    ]
    if "external_id" in query:
        rows = [item for item in rows if item.external_id == query["external_id"]]
    start, size = int(query.get("cursor") or 0), int(query["limit"])
    page = [_shown(item) for item in rows[start : start + size]]
    more = start + size < len(rows)
    return {"memories": page, "next_cursor": str(start + size) if more else None}


def _item_from(body: dict[str, Any], allowed: set[str]) -> MemoryItem:
    _refuse_unknown(body, allowed)
    values = dict(body)
    values["type"] = values.pop("category", "fact")
    values["timestamp"] = values.pop("observed_at", None)
    return MemoryItem.from_fields(values)


def _refuse_unknown(body: dict[str, Any], allowed: set[str]) -> None:
    if unknown := set(body) - allowed:
        raise Problem(422, "unknown_field", f"unknown: {', '.join(sorted(unknown))}")


def _shown(item: MemoryItem) -> dict[str, Any]:
    row = item.to_dict()
    row["category"] = row.pop("type")
    row["observed_at"] = row.pop("timestamp")
    row["source"]["trust"] = "normal"
    row.pop("schema_version")
    row["lineage"] = {"related": row.pop("related", []), "merged_into": None}
    return row
