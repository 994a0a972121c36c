"""Encode what waits: read, extract, write, and say what came of it."""

import logging
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction

from memory_core import auditing
from memory_core.callers import caller_of, grants_of, is_valid
from memory_core.contracts.callers import Actor, Caller, Scope
from memory_core.contracts.recall import RecallQuery
from memory_core.contracts.sessions import Message
from memory_core.contracts.tokens import SPEAKS
from memory_core.encoding.language_model import LanguageModelEncoder
from memory_core.encoding.protocol import Encoded, Encoder, Excerpt
from memory_core.encoding.rules import RuleEncoder
from memory_core.encoding.writing import Written, write
from memory_core.llm import LanguageModelUnavailable, configured
from memory_core.models import RawTurns, Token
from memory_core.recall import engine as recall

LEASE = timedelta(minutes=5)
"""How long a worker has for one stretch before another one may take it."""
MOST_ATTEMPTS = 6
BACKOFF = timedelta(seconds=15)
KEPT = timedelta(days=7)
RELATED = 10
LONGEST_QUERY = 1000

logger = logging.getLogger(__name__)


def encode(turns_id: UUID, *, now: datetime) -> bool:
    """Encode one stretch that is due; return whether it is done.

    The user's explicit words are always kept as they are; a configured language model
    adds what it concludes. While that one is away the stretch waits, six times at
    most.
    """
    turns = _claimed(turns_id, now=now)
    if turns is None:
        return False
    by = _speaker(turns, now=now)
    if by is None:
        _finish(turns, Written(), now=now, encoder="none", refused="not_allowed")
        return True
    written = Written()
    excerpt = _excerpt(turns, by, now=now)
    if SPEAKS in by.scopes:
        _run(RuleEncoder(), excerpt, turns, by, written, now=now)
    model = configured()
    if model is None:
        _finish(turns, written, now=now, encoder=RuleEncoder.name)
        return True
    encoder = LanguageModelEncoder(model)
    try:
        _run(encoder, excerpt, turns, by, written, now=now)
    except LanguageModelUnavailable as error:
        if error.transient and turns.attempts < MOST_ATTEMPTS:
            _wait(turns, error, written, now=now)
            return False
        written.counts[error.code] += 1
    _finish(turns, written, now=now, encoder=encoder.name)
    return True


def waiting(*, now: datetime, limit: int) -> list[UUID]:
    """Return the stretches that are due, the oldest first."""
    rows = RawTurns.objects.filter(due_at__lte=now, owner__restricted_by=None)
    return list(rows.order_by("due_at").values_list("pk", flat=True)[:limit])


def encode_again(*, since: datetime, namespace: str = "", now: datetime) -> int:
    """Have what was said since a moment read once more; return how many stretches."""
    rows = RawTurns.objects.filter(created_at__gte=since, due_at=None)
    if namespace:
        rows = rows.filter(namespace__name=namespace)
    return rows.update(due_at=now, attempts=0)


def purge(*, now: datetime) -> int:
    """Delete what was kept for seven days; return how many stretches.

    What is restricted stays as it is.
    """
    rows = RawTurns.objects.filter(created_at__lte=now - KEPT)
    count, _ = rows.filter(owner__restricted_by=None).delete()
    return count


def _claimed(turns_id: UUID, *, now: datetime) -> RawTurns | None:
    with transaction.atomic():
        rows = RawTurns.objects.select_for_update(skip_locked=True, of=("self",))
        turns = rows.select_related("owner").filter(pk=turns_id).first()
        if turns is None or turns.due_at is None or turns.due_at > now:
            return None
        if turns.owner.restricted_by is not None:
            return None  # it waits until the restriction ends
        turns.attempts += 1
        turns.due_at = now + LEASE
        turns.save(update_fields=["attempts", "due_at"])
    return turns


def _speaker(turns: RawTurns, *, now: datetime) -> Caller | None:
    """Return who handed it over, if they may still write there for this owner."""
    rows = Token.objects.select_related("agent__namespace", "namespace")
    token = rows.filter(pk=turns.token_id).first()
    if token is None or not is_valid(token, now=now):
        return None
    by = caller_of(token, grants_of(token))
    may_write = turns.namespace_id in by.writable.values()
    return by if may_write and by.may_see(turns.owner.external_id) else None


def _excerpt(turns: RawTurns, by: Caller, *, now: datetime) -> Excerpt:
    messages = tuple(map(_message, turns.messages))
    said = " ".join(one.content for one in messages if one.role == "user")
    related = _related(said, turns, by, now=now) if configured() else ()
    last = messages[-1].at if messages else turns.created_at
    return Excerpt(messages, turns.summary, related, last)


def _related(
    said: str, turns: RawTurns, by: Caller, *, now: datetime
) -> tuple[str, ...]:
    if not said.strip():
        return ()
    owner_id = turns.owner.external_id
    scope = Scope(turns.owner_id, owner_id, (turns.namespace_id,))
    query = RecallQuery(
        owner_id=owner_id, query=said[-LONGEST_QUERY:], top_k=RELATED, touch=False
    )
    found = recall.search(by, scope, query, now=now)
    return tuple(hit.memory.content for hit in found.hits)


def _message(sent: dict[str, Any]) -> Message:
    return Message(
        sent["role"],
        sent["content"],
        datetime.fromisoformat(sent["at"]),
        sent["position"],
    )


def _run(
    encoder: Encoder,
    excerpt: Excerpt,
    turns: RawTurns,
    by: Caller,
    written: Written,
    *,
    now: datetime,
) -> None:
    encoded: Encoded = encoder.encode(excerpt)
    write(encoded, turns, encoder=encoder.name, by=by, now=now, into=written)


def _wait(
    turns: RawTurns, error: LanguageModelUnavailable, written: Written, *, now: datetime
) -> None:
    doubled = BACKOFF * 2 ** (turns.attempts - 1)
    asked = timedelta(seconds=error.retry_after or 0)
    turns.due_at = now + max(doubled, asked)
    turns.made = list(dict.fromkeys([*turns.made, *written.made]))
    turns.forgot = list(dict.fromkeys([*turns.forgot, *written.forgot]))
    turns.counts = {**written.counts, error.code: turns.attempts}
    RawTurns.objects.filter(pk=turns.pk).update(
        due_at=turns.due_at, made=turns.made, forgot=turns.forgot, counts=turns.counts
    )
    logger.warning("an encoding waits: %s", error.code)


def _finish(
    turns: RawTurns,
    written: Written,
    *,
    now: datetime,
    encoder: str,
    refused: str = "",
) -> None:
    if refused:
        written.counts[refused] += 1
    with transaction.atomic():
        turns.made = list(dict.fromkeys([*turns.made, *written.made]))
        turns.forgot = list(dict.fromkeys([*turns.forgot, *written.forgot]))
        turns.counts = dict(written.counts)
        if set(turns.forgot) & set(turns.made):
            turns.keep([], turns.summary)  # said and taken back in one breath
        rows = RawTurns.objects.filter(pk=turns.pk)
        changed = rows.update(
            due_at=None,
            encoded_at=now,
            encoder=encoder,
            made=turns.made,
            forgot=turns.forgot,
            counts=turns.counts,
            sealed=turns.sealed,
        )
        if changed:  # an erasure may have been faster
            auditing.record(
                "encoding.run",
                by=_actor(turns),
                owner_id=turns.owner.external_id,
                turns=str(turns.pk),
                encoder=encoder,
                made=len(written.made),
                forgot=len(written.forgot),
                counts=turns.counts,
            )


def _actor(turns: RawTurns) -> Actor:
    return Actor(name=turns.actor, token_prefix=turns.token_prefix)
