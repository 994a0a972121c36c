"""Hand a stretch of conversation to the encoder: kept in the database, then queued."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from memory_core import auditing, isolation, locks
from memory_core.contracts.callers import Actor, Caller, Scope
from memory_core.contracts.sessions import Message, Session, Speaker
from memory_core.models import ClosedSession, Owner, RawTurns
from memory_core.queueing import enqueue
from memory_core.saving import gates
from memory_core.screening import redact_secrets


def hand_over(
    messages: Sequence[Message],
    *,
    by: Actor,
    speaker: Speaker,
    owner_id: str,
    session_id: str = "",
    summary: str = "",
    now: datetime,
) -> UUID:
    """Return the id under which the messages wait for the encoder.

    Runs a transaction of its own, or in the one that is open. Raises
    OwnerBeingErased and OwnerErased.
    """
    scope = Scope(_owner_row(owner_id, by), owner_id, (speaker.namespace_id,))
    lock = locks.for_write(owner_id, owner=scope.owner, namespace=speaker.namespace_id)
    with isolation.transaction_for(by, scope, lock):
        owner = _owner(scope, by)
        turns = RawTurns(
            namespace_id=speaker.namespace_id,
            owner=owner,
            actor=speaker.actor,
            agent_id=speaker.agent_id,
            token_id=speaker.token_id,
            token_prefix=speaker.token_prefix,
            scopes=list(speaker.scopes),
            session_id=session_id,
            created_at=now,
            due_at=now,
        )
        turns.keep(list(_redacted(messages)), redact_secrets(summary).text)
        turns.save(force_insert=True)
        auditing.record(
            "encoding.queue",
            by=by,
            namespace=speaker.namespace,
            owner_id=owner_id,
            turns=str(turns.pk),
            messages=len(messages),
        )
        enqueue("encode_turns", str(turns.pk))
    return turns.pk


def record_end(
    session: Session, *, by: Actor, outcome: str = "", now: datetime
) -> None:
    """Keep that a session took place and how it ended.

    Raises OwnerBeingErased and OwnerErased.
    """
    speaker, owner_id = session.speaker, session.owner_id
    scope = Scope(_owner_row(owner_id, by), owner_id, (speaker.namespace_id,))
    lock = locks.for_write(owner_id, owner=scope.owner, namespace=speaker.namespace_id)
    with isolation.transaction_for(by, scope, lock):
        ClosedSession.objects.create(
            namespace_id=speaker.namespace_id,
            owner=_owner(scope, by),
            agent_id=speaker.agent_id,
            rounds=session.rounds,
            outcome=outcome,
            started_at=session.started_at,
            closed_at=now,
        )
        auditing.record(
            "session.close",
            by=by,
            namespace=speaker.namespace,
            owner_id=owner_id,
            result=outcome,
            rounds=session.rounds,
        )


def _owner_row(owner_id: str, by: Actor) -> int:
    with isolation.transaction_for(by):
        rows = Owner.objects.filter(external_id=owner_id).values_list("pk", flat=True)
        return rows.first() or 0


def _owner(scope: Scope, by: Actor) -> Owner:
    """Return the owner, made now if it is a new one, once nothing forbids it."""
    gates.check_owner(scope.owner_id)
    if scope.owner:
        return Owner(pk=scope.owner, external_id=scope.owner_id)
    row, _ = Owner.objects.get_or_create(external_id=scope.owner_id)
    if isinstance(by, Caller):
        isolation.narrow(Scope(row.pk, scope.owner_id, scope.namespaces))
    return row


def _redacted(messages: Iterable[Message]) -> Iterable[dict[str, Any]]:
    for one in messages:
        yield {
            "role": one.role,
            "content": redact_secrets(one.content).text,
            "at": one.at.isoformat(),
            "position": one.position,
        }
