"""Candidates and requests to forget -> the store, each exactly once."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from memory_core import idempotency, isolation
from memory_core.contracts.callers import Caller, Scope
from memory_core.contracts.idempotency import IdempotencyKey, Replay
from memory_core.contracts.memories import Draft, Saved
from memory_core.contracts.tokens import DELETES, SPEAKS
from memory_core.encoding.protocol import Candidate, Encoded, Forgetting
from memory_core.exceptions import MnemeError
from memory_core.models import Namespace, RawTurns
from memory_core.saving import forgetting, matching, pipeline, preparing


@dataclass(slots=True)
class Written:
    """What came of an encoding: memories, deletions, and counts by event or code."""

    made: list[UUID] = field(default_factory=list)
    forgot: list[UUID] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


def write(
    encoded: Encoded,
    turns: RawTurns,
    *,
    encoder: str,
    by: Caller,
    now: datetime,
    into: Written,
) -> None:
    """Write what an encoder found, in the order in which it was said.

    A request to forget deletes what was said before it, also in the same stretch.
    """
    into.counts.update(encoded.dropped)
    steps: list[tuple[int, int, Candidate | Forgetting]] = [
        *((_place(one, turns), 0, one) for one in encoded.candidates),
        *((one.position, 1, one) for one in encoded.forget),
    ]
    for number, (_, _, step) in enumerate(sorted(steps, key=lambda s: s[:2])):
        try:
            if isinstance(step, Forgetting):
                _forget(step, turns, by=by, now=now, into=into)
            else:
                once = _once(turns, encoder, number, step)
                saved = _save(step, turns, by=by, once=once, now=now)
                into.made.append(saved.memory_id)
                into.counts[saved.event] += 1
        except MnemeError as error:
            into.counts[error.code] += 1


def _save(
    candidate: Candidate,
    turns: RawTurns,
    *,
    by: Caller,
    once: IdempotencyKey,
    now: datetime,
) -> Saved:
    owner_id = turns.owner.external_id
    scope = Scope(turns.owner_id, owner_id, (turns.namespace_id,))
    draft = _draft(candidate, turns, owner_id)
    [prepared] = preparing.with_vectors([preparing.prepare(draft, by, scope, now=now)])
    try:
        with pipeline.opened(prepared, once) as (current, place):
            saved = pipeline.store(current, place)
            idempotency.keep(
                once,
                answer=saved.to_dict(),
                owner=place.owner,
                now=now,
            )
    except Replay as replay:
        return Saved.from_dict(replay.answer)
    return saved


def _draft(candidate: Candidate, turns: RawTurns, owner_id: str) -> Draft:
    position = _place(candidate, turns)
    return Draft(
        owner_id=owner_id,
        namespace=Namespace.objects.get(pk=turns.namespace_id).name,
        content=candidate.content,
        category=candidate.category,
        source_kind=candidate.source_kind,
        importance=candidate.importance,
        confidence=candidate.confidence,
        expire_at=candidate.expire_at,
        observed_at=_moments(turns).get(position, turns.created_at),
        session_id=turns.session_id,
        position=position,
    )


def _forget(
    asked: Forgetting, turns: RawTurns, *, by: Caller, now: datetime, into: Written
) -> None:
    """Only a token that speaks for users and may delete passes such a wish on."""
    if not {SPEAKS, DELETES} <= by.scopes:
        into.counts["forget_not_allowed"] += 1
        return
    spaces = tuple(sorted(by.writable.values()))
    scope = Scope(turns.owner_id, turns.owner.external_id, spaces)
    with isolation.transaction_for(by, scope):
        meant = matching.by_matter(asked.query, scope=scope, unseen=True)
        gone = forgetting.forget(
            sorted(meant.memory_ids),
            scope=scope,
            by=by,
            reason="asked_in_conversation",
            now=now,
        )
    into.forgot += gone
    if meant.hint:
        into.counts[f"forget_{meant.hint}"] += 1
    else:
        into.counts["forgotten"] += len(gone)


def _place(candidate: Candidate, turns: RawTurns) -> int:
    if candidate.position is not None:
        return candidate.position
    return max(_moments(turns), default=0)


def _moments(turns: RawTurns) -> dict[int, datetime]:
    sent: list[dict[str, Any]] = turns.messages
    return {one["position"]: datetime.fromisoformat(one["at"]) for one in sent}


def _once(
    turns: RawTurns, encoder: str, number: int, step: Candidate
) -> IdempotencyKey:
    return IdempotencyKey(
        token_id=turns.token_id,
        key=f"turns:{turns.pk}:{encoder}:{number}"[:190],
        body_digest=sha256(step.content.encode("utf-8", "replace")).digest(),
    )
