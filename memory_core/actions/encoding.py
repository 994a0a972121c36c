"""Hand messages to the encoder without keeping a session; have them read again."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from memory_core import auditing, idempotency, isolation
from memory_core.actions import access
from memory_core.contracts.callers import Actor, Caller
from memory_core.contracts.idempotency import IdempotencyKey, Replay
from memory_core.contracts.sessions import EncodingOutcome, Message, Role, Speaker
from memory_core.encoding import engine, handing
from memory_core.exceptions import NotFound
from memory_core.models import RawTurns


def encode(
    *,
    by: Caller,
    owner_id: str,
    messages: Sequence[tuple[Role, str, datetime | None]],
    session_id: str = "",
    namespace: str = "",
    once: IdempotencyKey | None = None,
) -> UUID:
    """Return the id of a queued encoding of the messages (role, text, when said).

    Raises NamespaceNotWritable, OwnerNotAllowed, OwnerBeingErased, OwnerErased,
    IdempotencyConflict.
    """
    now = timezone.now()
    access.write_scope(by, owner_id, namespace=namespace)
    said = [
        Message(role, content, at or now, position)
        for position, (role, content, at) in enumerate(messages)
    ]
    with isolation.agent_transaction():
        try:
            idempotency.claim(once, now=now)
        except Replay as replay:
            return UUID(replay.answer["encoding_id"])
        encoding_id = handing.hand_over(
            said,
            by=by,
            speaker=Speaker.of(by, namespace=namespace),
            owner_id=owner_id,
            session_id=session_id,
            now=now,
        )
        answer = {"encoding_id": str(encoding_id)}
        idempotency.keep(once, answer=answer, owner=None, now=now)
    return encoding_id


def outcome(*, by: Caller, encoding_id: UUID) -> EncodingOutcome:
    """Return what came of messages that this agent handed over; raises NotFound.

    The caller knows the id and not the owner, so this acts as the console.
    """
    with isolation.console_transaction():
        rows = RawTurns.objects.select_related("owner").filter(agent_id=by.agent_id)
        turns = rows.filter(pk=encoding_id).first()
    if turns is None or turns.owner.is_shut or not by.may_see(turns.owner.external_id):
        raise NotFound()
    return EncodingOutcome(
        owner_id=turns.owner.external_id,
        is_done=turns.encoded_at is not None,
        made=tuple(turns.made),
        forgot=tuple(turns.forgot),
    )


def again(*, by: Actor, since: datetime, namespace: str = "") -> int:
    """Have what was said since a moment encoded once more; return how many stretches.

    They are queued by the next sweep. What comes of them merges with what came before.
    """
    with isolation.transaction_for(by):
        count = engine.encode_again(
            since=since, namespace=namespace, now=timezone.now()
        )
        auditing.record("encoding.again", by=by, namespace=namespace, stretches=count)
    return count
