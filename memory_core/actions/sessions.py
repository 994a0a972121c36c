"""The rolling window of a conversation, as an agent keeps it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import orjson
from django.utils import timezone

from memory_core import idempotency, isolation, locks
from memory_core.actions import access
from memory_core.contracts.callers import Caller
from memory_core.contracts.idempotency import IdempotencyKey, Replay
from memory_core.contracts.sessions import Closed, Outcome, Role, Session, Speaker
from memory_core.encoding import handing, rules
from memory_core.exceptions import InvalidInput, NotFound
from memory_core.saving import gates
from memory_core.sessions import store, window

MAX_TOKENS = 4096
EXPIRE_AFTER_SECONDS = 3600
LARGEST_STATE = 64 * 1024


def put(
    *,
    by: Caller,
    owner_id: str,
    session_id: str,
    messages: Sequence[tuple[Role, str]],
    state: Mapping[str, Any] | None = None,
    max_tokens: int | None = None,
    expire_after_seconds: int | None = None,
) -> Session:
    """Return the session with the messages at its end, made now if it is new.

    Every ten rounds, and at once when the user says something explicit, what was said
    is handed to the encoder. Raises OwnerNotAllowed, NamespaceNotWritable,
    OwnerBeingErased, OwnerErased, InvalidInput, ServiceUnavailable.
    """
    now = timezone.now()
    access.write_scope(by, owner_id)
    speaker = Speaker.of(by)
    key = store.key_of(speaker, owner_id, session_id)

    def step(before: Session | None) -> Session:
        session = before or _new(speaker, owner_id, session_id, now=now)
        session = replace(
            session,
            speaker=speaker,
            max_tokens=max_tokens or session.max_tokens,
            expire_after_seconds=expire_after_seconds or session.expire_after_seconds,
        )
        session = window.with_state(session, state or {})
        if len(orjson.dumps(session.state)) > LARGEST_STATE:
            raise InvalidInput("At most 64 KiB of state fit here.", field="state")
        return window.extended(session, messages, now=now)

    with isolation.agent_transaction(also=locks.before_fence(owner_id)):
        gates.check_owner(owner_id)  # what Valkey was given once stands in its log
        session = store.change(key, step, now=now)
    told = any(role == "user" and rules.is_trigger(text) for role, text in messages)
    if session.waiting and (told or window.is_due(session)):
        _hand_over(session, by, now=now)
        session = store.mark_encoded(key, to=session.length, now=now) or session
    return session


def get(*, by: Caller, owner_id: str, session_id: str) -> Session:
    """Return this agent's session; raises NotFound, also for anybody else's."""
    session = find(by=by, owner_id=owner_id, session_id=session_id)
    if session is None:
        raise NotFound()
    return session


def find(*, by: Caller, owner_id: str, session_id: str) -> Session | None:
    """Return this agent's session, None if there is none."""
    if not by.may_see(owner_id) or by.home not in by.writable:
        return None
    key = store.key_of(Speaker.of(by), owner_id, session_id)
    found = store.read(key, now=timezone.now())
    if found is None:
        return None
    with isolation.agent_transaction():
        return None if gates.is_shut(owner_id) else found


def close(
    *,
    by: Caller,
    owner_id: str,
    session_id: str,
    encode: bool,
    outcome: Outcome | None = None,
    once: IdempotencyKey | None = None,
) -> Closed:
    """End a session; what was not encoded yet is handed over, or dropped.

    Raises NotFound, OwnerBeingErased, OwnerErased, ServiceUnavailable.
    """
    now = timezone.now()
    if once:
        with isolation.agent_transaction():
            try:
                idempotency.peek(once, now=now)
            except Replay as replay:
                return _closed_before(replay)
    session = get(by=by, owner_id=owner_id, session_id=session_id)
    encoding_id = None
    if encode and session.waiting:
        encoding_id = _hand_over(session, by, now=now)
    handing.record_end(session, by=by, outcome=outcome or "", now=now)
    closed = Closed(session.rounds, encoding_id)
    with isolation.agent_transaction():
        answer = {
            "rounds": closed.rounds,
            "encoding_id": str(encoding_id) if encoding_id else None,
        }
        idempotency.keep(once, answer=answer, owner=None, now=now)
    store.remove(store.key_of(session.speaker, owner_id, session_id), owner_id)
    return closed


def _new(speaker: Speaker, owner_id: str, session_id: str, *, now: datetime) -> Session:
    return Session(
        owner_id=owner_id,
        session_id=session_id,
        speaker=speaker,
        started_at=now,
        updated_at=now,
        expires_at=now + timedelta(seconds=EXPIRE_AFTER_SECONDS),
        max_tokens=MAX_TOKENS,
        expire_after_seconds=EXPIRE_AFTER_SECONDS,
    )


def _hand_over(session: Session, by: Caller, *, now: datetime) -> UUID:
    return handing.hand_over(
        session.waiting,
        by=by,
        speaker=session.speaker,
        owner_id=session.owner_id,
        session_id=session.session_id,
        summary=session.summary,
        now=now,
    )


def _closed_before(replay: Replay) -> Closed:
    sent = replay.answer["encoding_id"]
    return Closed(replay.answer["rounds"], UUID(sent) if sent else None)
