"""Short-term memory: the rolling window of a conversation."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api import documented
from api.parsers import MEBIBYTE
from api.serializers.base import from_query, validated
from api.serializers.queries import OwnerQuery
from api.serializers.session_outputs import ClosedOutput, SessionOutput
from api.serializers.sessions import CloseInput, MessagesInput
from api.views.base import ApiView
from memory_core.actions import sessions
from memory_core.contracts.sessions import Session
from memory_core.sessions import window

LONGEST_ID = 200


def named(session_id: str) -> str:
    """Return the session's id if it can be one; raises ValidationError."""
    printable = all(char.isprintable() for char in session_id)
    if not printable or not 0 < len(session_id) <= LONGEST_ID:
        fault = ErrorDetail("An id has 1 to 200 printable characters.", "invalid")
        raise ValidationError({"session_id": [fault]})
    return session_id


def shown(session: Session) -> dict[str, Any]:
    """Return a session as plain values."""
    return {
        "session_id": session.session_id,
        "messages": [
            {"role": one.role, "content": one.content, "at": one.at}
            for one in session.window
        ],
        "summary": session.summary,
        "state": session.state,
        "rounds": session.rounds,
        "tokens": window.tokens(session),
        "max_tokens": session.max_tokens,
        "started_at": session.started_at,
        "expires_at": session.expires_at,
    }


class SessionMessages(ApiView):
    """Append messages to a session, which begins with its first ones.

    The window drops its oldest messages once it is longer than `max_tokens`; `state`
    sets entries, null takes one away. The session ends when nothing was sent for
    `expire_after_seconds`.
    """

    required_scope = "save"
    body_limit = 8 * MEBIBYTE

    @extend_schema(
        operation_id="put_messages",
        summary="Append messages to a session",
        request=MessagesInput,
        responses=documented.answers({200: SessionOutput}, 409, 410),
        tags=["sessions"],
    )
    def put(self, request: Request, session_id: str) -> Response:
        values = validated(MessagesInput, request.data)
        session = sessions.put(
            by=self.caller,
            owner_id=values["owner_id"],
            session_id=named(session_id),
            messages=[(one["role"], one["content"]) for one in values["messages"]],
            state=values.get("state"),
            max_tokens=values.get("max_tokens"),
            expire_after_seconds=values.get("expire_after_seconds"),
        )
        return Response(shown(session))


class GetSession(ApiView):
    """Show a session of this agent."""

    required_scope = "recall"

    @extend_schema(
        operation_id="get_session",
        summary="The window, state and summary of a session",
        parameters=[OwnerQuery],
        responses=documented.answers({200: SessionOutput}, 404),
        tags=["sessions"],
    )
    def get(self, request: Request, session_id: str) -> Response:
        owner_id = from_query(OwnerQuery, request.query_params)["owner_id"]
        session = sessions.get(
            by=self.caller, owner_id=owner_id, session_id=named(session_id)
        )
        return Response(shown(session))


class CloseSession(ApiView):
    """End a session; what was said is handed to the encoder, or dropped."""

    required_scope = "save"

    @extend_schema(
        operation_id="close_session",
        summary="End a session",
        request=CloseInput,
        responses=documented.answers({200: ClosedOutput}, 404, 409, 410),
        parameters=[documented.IDEMPOTENCY_KEY],
        tags=["sessions"],
    )
    def post(self, request: Request, session_id: str) -> Response:
        values = validated(CloseInput, request.data)
        closed = sessions.close(
            by=self.caller,
            owner_id=values["owner_id"],
            session_id=named(session_id),
            encode=values["encode"],
            outcome=values.get("outcome"),
            once=self.once(),
        )
        return Response(
            {
                "closed": True,
                "rounds": closed.rounds,
                "encoding_id": closed.encoding_id,
            }
        )
