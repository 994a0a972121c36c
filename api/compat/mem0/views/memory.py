"""mem0: one memory by its id, and many at once."""

from collections.abc import Mapping
from typing import Any, ClassVar
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from api.compat.mem0 import shapes
from api.compat.mem0.entities import entities_of, with_entities
from api.compat.mem0.inputs import (
    BatchInput,
    DeletionInput,
    UpdateInput,
    UpdateOfOneInput,
)
from api.compat.mem0.views.base import Mem0View
from api.parsers import MEBIBYTE
from api.serializers.base import validated
from api.views.base import id_of
from memory_core.actions import access, changes, lookups, memories
from memory_core.contracts.callers import Caller
from memory_core.exceptions import InvalidInput, MnemeError, NotFound

TRUE = {"true", "1"}


class One(Mem0View):
    """Show, change or delete a memory."""

    scopes: ClassVar[dict[str, str]] = {
        "get": "recall",
        "put": "save",
        "delete": "delete",
    }

    def get(self, request: Request, memory_id: str) -> Response:
        found, owner_id = _found(self.caller, memory_id)
        view = lookups.get(by=self.caller, owner_id=owner_id, memory_id=found)
        return Response(shapes.memory(view, owner_id))

    def put(self, request: Request, memory_id: str) -> Response:
        return Response(
            update(self.caller, memory_id, validated(UpdateInput, request.data))
        )

    def delete(self, request: Request, memory_id: str) -> Response:
        linked = request.query_params.get("delete_linked", "").lower() in TRUE
        delete(self.caller, memory_id, linked=linked)
        return Response({"message": "Memory deleted."})


class History(Mem0View):
    """Show what a memory said before."""

    scopes: ClassVar[dict[str, str]] = {"get": "recall"}

    def get(self, request: Request, memory_id: str) -> Response:
        found, owner_id = _found(self.caller, memory_id)
        past = lookups.history(by=self.caller, owner_id=owner_id, memory_id=found)
        return Response(shapes.history(past, owner_id))


class Batch(Mem0View):
    """Change or delete many memories; a refused one spoils no other."""

    scopes: ClassVar[dict[str, str]] = {"put": "save", "delete": "delete"}
    charges_namespaces = True
    body_limit = 8 * MEBIBYTE

    def put(self, request: Request) -> Response:
        sent = validated(BatchInput, request.data)["memories"]
        entries = [validated(UpdateOfOneInput, one) for one in sent]
        self.charge([], items=len(entries))
        failed = [_failure(self.caller, one, update) for one in entries]
        return self._answer("updated", failed)

    def delete(self, request: Request) -> Response:
        sent = validated(BatchInput, request.data)["memories"]
        entries = [validated(DeletionInput, one) for one in sent]
        self.charge([], items=len(entries))
        failed = [_failure(self.caller, one, _delete_one) for one in entries]
        return self._answer("deleted", failed)

    def _answer(self, verb: str, outcomes: list[dict[str, str] | None]) -> Response:
        failed = [one for one in outcomes if one]
        count = len(outcomes) - len(failed)
        answer: dict[str, Any] = {"message": f"{count} memories {verb}."}
        if failed:
            answer["failed"] = failed
        return Response(answer)


def update(by: Caller, memory_id: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the changed memory, or the proposal that waits for a person instead.

    Raises what `changes.correct` raises.
    """
    found, owner_id = _found(by, memory_id)
    changed = changes.correct(
        by=by,
        scope=access.read_scope(by, owner_id),
        memory_id=found,
        changes=_changes(by, found, owner_id, values),
    )
    if changed.memory_id == found:
        message = "Memory updated."
    elif changed.status == "active":
        message = "A more trusted memory says so already; yours stands behind it."
    else:
        message = "The change waits for a person; the memory is as it was."
    return {
        **shapes.memory(changed, owner_id),
        "text": changed.content,
        "message": message,
    }


def delete(by: Caller, memory_id: str, *, linked: bool = False) -> None:
    """Delete a memory, and what it had replaced if `linked`; raises NotFound."""
    found, owner_id = _found(by, memory_id)
    scope = access.read_scope(by, owner_id)
    older = _replaced(by, found, owner_id) if linked else []
    if not memories.forget(by=by, scope=scope, memory_id=found):
        raise NotFound
    for one in older:
        memories.forget(by=by, scope=scope, memory_id=one)


def _delete_one(by: Caller, memory_id: str, _: Mapping[str, Any]) -> None:
    delete(by, memory_id)


def _failure(by: Caller, entry: Mapping[str, Any], step: Any) -> dict[str, str] | None:
    try:
        step(by, entry["memory_id"], entry)
    except MnemeError as error:
        return {"memory_id": entry["memory_id"], "code": error.code}
    return None


def _found(by: Caller, memory_id: str) -> tuple[UUID, str]:
    """Return a memory's id and its owner; raises NotFound."""
    found = id_of(memory_id)
    return found, lookups.owner_of(by=by, memory_id=found)


def _changes(
    by: Caller, memory_id: UUID, owner_id: str, values: Mapping[str, Any]
) -> dict[str, Any]:
    found: dict[str, Any] = {}
    text = values.get("text", values.get("data", values.get("memory")))
    if text is not None:
        found["content"] = text
    if "timestamp" in values:
        found["observed_at"] = values["timestamp"]
    if "expiration_date" in values:
        found["expire_at"] = values["expiration_date"]
    if "metadata" in values:
        view = lookups.get(by=by, owner_id=owner_id, memory_id=memory_id)
        kept = {n: v for n, v in entities_of(view, owner_id).items() if v}
        kept = {n: v for n, v in kept.items() if n in view.metadata}
        found["metadata"] = with_entities(values["metadata"], kept)
    if not found:
        raise InvalidInput("Say what to change: text, metadata, timestamp or"
                           " expiration_date.", field="text")  # fmt: skip
    return found


def _replaced(by: Caller, memory_id: UUID, owner_id: str) -> list[UUID]:
    """Return what a memory replaced, and what that had replaced."""
    found: list[UUID] = []
    front = [memory_id]
    while front:
        past = lookups.history(by=by, owner_id=owner_id, memory_id=front.pop())
        older = [one.memory_id for one in past.supersedes]
        front += [one for one in older if one not in found]
        found += [one for one in older if one not in found]
    return found
