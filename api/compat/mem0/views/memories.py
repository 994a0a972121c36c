"""mem0: add, list, search and delete memories."""

import ast
import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, ClassVar, cast

from rest_framework.request import Request
from rest_framework.response import Response

from api.compat.mem0 import adding, finding, shapes
from api.compat.mem0.inputs import (
    DEFAULT_PAGE,
    AddInput,
    DeleteAllInput,
    ListInput,
    SearchInput,
    named,
)
from api.compat.mem0.views.base import Mem0View, NotOffered
from api.parsers import MEBIBYTE
from api.serializers.base import from_query, validated
from memory_core.actions import access, memories
from memory_core.contracts.enums import Status
from memory_core.contracts.recall import Narrowing
from memory_core.exceptions import InvalidInput

BEGINNING = datetime(1, 1, 2, tzinfo=UTC)
LONGEST_FILTER = 2000


class Collection(Mem0View):
    """Add to, list or empty what is kept of somebody (platform v1, open source)."""

    scopes: ClassVar[dict[str, str]] = {
        "get": "recall",
        "post": "save",
        "delete": "delete",
    }
    charges_namespaces = True
    body_limit = 8 * MEBIBYTE
    is_bare = False
    """Whether a list answers without pages, as the first version did."""

    def get(self, request: Request) -> Response:
        values = from_query(ListInput, request.query_params)
        self.charge()
        answer = page_of(self, values)
        return Response(answer["results"] if self.is_bare else answer)

    def post(self, request: Request) -> Response:
        return added(self, validated(AddInput, request.data))

    def delete(self, request: Request) -> Response:
        values = from_query(DeleteAllInput, request.query_params)
        self.charge()
        if isinstance(values.get("filters"), str):
            values["filters"] = _written_out(values["filters"])
        count = delete_all(self, values)
        return Response({"message": "Memories deleted.", "deleted": count})


class BareCollection(Collection):
    is_bare = True


class Add(Mem0View):
    """Add memories (platform v3)."""

    scopes: ClassVar[dict[str, str]] = {"post": "save"}
    charges_namespaces = True
    body_limit = 8 * MEBIBYTE

    def post(self, request: Request) -> Response:
        return added(self, validated(AddInput, request.data))


class Listing(Mem0View):
    """List memories by filters (platform v2 and v3)."""

    scopes: ClassVar[dict[str, str]] = {"post": "recall"}
    charges_namespaces = True

    def post(self, request: Request) -> Response:
        query = dict(request.query_params.items())
        values = validated(ListInput, {**body_of(request), **query})
        self.charge()
        return Response(page_of(self, values))


class Search(Mem0View):
    """Search memories by meaning."""

    scopes: ClassVar[dict[str, str]] = {"post": "recall"}
    charges_namespaces = True
    is_bare = False

    def post(self, request: Request) -> Response:
        values = validated(SearchInput, request.data)
        if values.get("show_expired"):
            raise NotOffered("Expired memories are not searched; a list shows them.")
        self.charge()
        found = finding.searched(self.caller, finding.wanted(values), values)
        shown = [shapes.only(one, values.get("fields", ())) for one in found]
        wrapped = body_of(request).get("output_format") == "v1.1" or not self.is_bare
        return Response({"results": shown} if wrapped else shown)


class BareSearch(Search):
    is_bare = True


def body_of(request: Request) -> dict[str, Any]:
    """Return the body, which the parser takes as an object only."""
    return cast(dict[str, Any], request.data)


def added(view: Mem0View, values: Mapping[str, Any]) -> Response:
    """Answer an add: what is stored already, and the id of what is still read."""
    if body_of(view.request).get("memory_type"):
        raise NotOffered("Procedural memories need a language model of mem0's.")
    messages = values["messages"]
    at = adding.frame(named(values), values, view.caller, view.once())
    view.charge([at.by.home] * len(messages), items=len(messages))
    done = adding.add(messages, at, infer=values.get("infer", True))
    waits = done.encoding_id is not None
    event_id = str(done.encoding_id) if waits else _first_id(done.results)
    return Response(
        {
            "message": done.message,
            "status": "PENDING" if waits else "SUCCEEDED",
            "event_id": event_id,
            "results": done.results,
            **({"refused": [one.code for one in done.refused]} if done.refused else {}),
        }
    )


def page_of(view: Mem0View, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return one page of a list, with the number of all entries."""
    asked = finding.wanted(values)
    is_all = values.get("show_expired", False)
    statuses = (*finding.KEPT, Status.EXPIRED) if is_all else finding.KEPT
    found = [
        shown for _, shown in finding.listed(view.caller, asked, statuses=statuses)
    ]
    size = values.get("page_size", values.get("top_k", values.get("limit")))
    size = size or DEFAULT_PAGE
    start = (values.get("page", 1) - 1) * size
    page = found[start : start + size]
    return {
        "count": len(found),
        "next": _page_path(view, values, size, 1)
        if start + size < len(found)
        else None,
        "previous": _page_path(view, values, size, -1) if start else None,
        "results": [shapes.only(one, values.get("fields", ())) for one in page],
    }


def delete_all(view: Mem0View, values: Mapping[str, Any]) -> int:
    """Delete what is meant, in every state; return how many memories went."""
    asked = finding.wanted(values)
    return sum(
        _deleted(view, asked, owner_id, finding.pushed_down(asked.tree, owner_id))
        for owner_id in asked.owner_ids
    )


def _deleted(
    view: Mem0View, asked: finding.Wanted, owner_id: str, narrowing: Narrowing | None
) -> int:
    by = view.caller
    scope = access.read_scope(by, owner_id)
    if narrowing is not None and not narrowing:  # all that the owner has
        gone = memories.forget_matching(
            by=by, scope=scope, since=BEGINNING, dry_run=False
        )
        return len(gone.memory_ids)
    mine = finding.Wanted(asked.tree, (owner_id,))
    meant = [
        one.memory_id for one, _ in finding.listed(by, mine, statuses=tuple(Status))
    ]
    return sum(memories.forget(by=by, scope=scope, memory_id=one) for one in meant)


def _written_out(text: str) -> Any:
    """Return the object that a client put into a query string, as JSON or in the
    spelling of Python, which mem0's own client sends."""
    if len(text) > LONGEST_FILTER:
        raise InvalidInput("The filters are too long.", field="filters")
    for read in _readers():
        try:
            return read(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
    raise InvalidInput("The filters cannot be read.", field="filters")


def _readers() -> Iterator[Any]:
    yield json.loads
    yield ast.literal_eval


def _first_id(results: list[dict[str, Any]]) -> str | None:
    return next((one["id"] for one in results if one["event"] != "DELETE"), None)


def _page_path(view: Mem0View, values: Mapping[str, Any], size: int, step: int) -> str:
    page = values.get("page", 1) + step
    return f"{view.request.path}?page={page}&page_size={size}"
