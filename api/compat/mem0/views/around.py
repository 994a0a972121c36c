"""mem0: who is there, verdicts, events, and what is not offered."""

from typing import ClassVar

from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.compat.mem0 import shapes
from api.compat.mem0.dates import written
from api.compat.mem0.entities import KINDS, entity_of
from api.compat.mem0.inputs import FeedbackInput
from api.compat.mem0.views.base import Mem0View, NotOffered
from api.compat.mem0.views.memories import delete_all
from api.serializers.base import validated
from api.views.base import id_of
from memory_core.actions import access, encoding, feedback, lookups
from memory_core.contracts.callers import Caller
from memory_core.exceptions import NotFound

VERDICTS = {"POSITIVE": "useful", "NEGATIVE": "not_useful", "VERY_NEGATIVE": "wrong"}
KIND_OF = {entity: kind for kind, entity in KINDS.items()}


class Ping(Mem0View):
    """Tell a client that its key is good."""

    def get(self, request: Request) -> Response:
        return Response(
            {
                "status": "ok",
                "org_id": "mneme",
                "project_id": self.caller.home,
                "user_email": self.caller.name,
            }
        )


class Entities(Mem0View):
    """List of whom the caller may read memories: as much as an export would tell."""

    scopes: ClassVar[dict[str, str]] = {"get": "export"}

    def get(self, request: Request) -> Response:
        found = []
        for one in lookups.owners(by=self.caller):
            entity, value = entity_of(one.owner_id)
            found.append(
                {
                    "id": one.owner_id,
                    "name": value,
                    "type": KIND_OF[entity],
                    "total_memories": one.memories,
                    "created_at": written(one.created_at),
                    "updated_at": written(one.updated_at),
                }
            )
        return Response({"count": len(found), "results": found})


class Entity(Mem0View):
    """Delete everything that is kept of one user, agent, app or run."""

    scopes: ClassVar[dict[str, str]] = {"delete": "delete"}

    def delete(self, request: Request, kind: str, name: str) -> Response:
        if kind not in KINDS:
            raise NotFound
        count = delete_all(self, {KINDS[kind]: name})
        return Response({"message": "Entity deleted.", "deleted": count})


class Event(Mem0View):
    """Tell what came of an add, by its `event_id`."""

    scopes: ClassVar[dict[str, str]] = {"get": "recall"}

    def get(self, request: Request, event_id: str) -> Response:
        found = id_of(event_id)
        try:
            owner_id = lookups.owner_of(by=self.caller, memory_id=found)
        except NotFound:
            outcome = encoding.outcome(by=self.caller, encoding_id=found)
            made = [
                entry
                for one in outcome.made
                for entry in _entries(self.caller, outcome.owner_id, str(one))
            ]
            made += [shapes.event(one, "", "DELETE") for one in outcome.forgot]
            status = "SUCCEEDED" if outcome.is_done else "PENDING"
        else:
            made, status = _entries(self.caller, owner_id, str(found)), "SUCCEEDED"
        return Response(
            {"id": event_id, "event_type": "ADD", "status": status, "results": made}
        )


class Feedback(Mem0View):
    """Take a verdict on a memory; VERY_NEGATIVE opens a review."""

    scopes: ClassVar[dict[str, str]] = {"post": "save"}

    def post(self, request: Request) -> Response:
        values = validated(FeedbackInput, request.data)
        verdict = VERDICTS.get(values["feedback"].upper())
        if verdict is None:
            fault = ErrorDetail("Send POSITIVE, NEGATIVE or VERY_NEGATIVE.", "invalid")
            raise ValidationError({"feedback": [fault]})
        memory_id = id_of(values["memory_id"])
        owner_id = lookups.owner_of(by=self.caller, memory_id=memory_id)
        reason = values.get("feedback_reason", "")
        feedback.give(
            by=self.caller,
            scope=access.read_scope(self.caller, owner_id),
            memory_id=memory_id,
            verdict=verdict,
            note=reason,
        )
        return Response(
            {
                "id": str(memory_id),
                "feedback": values["feedback"].upper(),
                "feedback_reason": reason or None,
            }
        )


class Refused(Mem0View):
    """Say that a path of mem0's is not offered, and what to do instead."""

    sentence = "This path of mem0 is not offered here; see /v1/docs/ for what is."

    def get(self, request: Request) -> Response:
        raise NotOffered(self.sentence)

    post = put = delete = get


def _entries(by: Caller, owner_id: str, memory_id: str) -> list[dict[str, object]]:
    """Return the entry of a memory that may be gone by now."""
    try:
        view = lookups.get(by=by, owner_id=owner_id, memory_id=id_of(memory_id))
    except NotFound:
        return []
    return [shapes.event(view.memory_id, view.content, "ADD")]
