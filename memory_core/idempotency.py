"""Idempotency keys: kept for a day, in the transaction of the change itself."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from memory_core import locks
from memory_core.contracts.idempotency import IdempotencyKey, Replay
from memory_core.exceptions import IdempotencyConflict
from memory_core.models import IdempotencyRecord

KEPT = timedelta(hours=24)


def claim(once: IdempotencyKey | None, *, now: datetime) -> None:
    """Wait for a request with the same key, then go on only if it was not answered.

    Needs the transaction of the change. Raises Replay with the answer given before, or
    IdempotencyConflict when the key came with another body.
    """
    if once is None:
        return
    locks.lock_key(once.token_id, once.key)
    peek(once, now=now)


def peek(once: IdempotencyKey | None, *, now: datetime) -> None:
    """Raise as `claim` does, without waiting: saves the work of a plain repetition."""
    if once is None:
        return
    record = IdempotencyRecord.objects.filter(
        token=once.token_id, key=once.key, created_at__gt=now - KEPT
    ).first()
    if record is None:
        return
    if bytes(record.body_digest) != once.body_digest:
        raise IdempotencyConflict()
    raise Replay(record.answer)


def keep(
    once: IdempotencyKey | None,
    *,
    answer: Mapping[str, Any],
    owner: int | None,
    now: datetime,
) -> None:
    """Keep the answer (ids and events, never text) with the change."""
    if once is None:
        return
    IdempotencyRecord.objects.filter(token=once.token_id, key=once.key).delete()
    IdempotencyRecord.objects.create(
        token_id=once.token_id,
        key=once.key,
        body_digest=once.body_digest,
        answer=dict(answer),
        owner_id=owner,
        created_at=now,
    )


def sweep(*, now: datetime) -> int:
    """Delete answers that were kept long enough; return how many."""
    count, _ = IdempotencyRecord.objects.filter(created_at__lte=now - KEPT).delete()
    return count
