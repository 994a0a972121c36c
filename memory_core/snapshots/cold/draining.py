"""From the outbox to the files: what was written and committed, as it is now.

A worker that dies leaves the outbox as it was, and the same entries are written once
more: the last one of a memory is what counts.
"""

import time
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import transaction

from memory_core import locks
from memory_core.keys.data import KeyDestroyed
from memory_core.models import Category, ColdWrite, Copy, Owner
from memory_core.prepared import fetch
from memory_core.snapshots import reading
from memory_core.snapshots.cold import folder, surroundings
from memory_core.snapshots.cold.entries import IN_RECORD, written

AT_ONCE = 2_000

TAKE = """
DELETE FROM memory_core_coldwrite WHERE id IN (
  SELECT id FROM memory_core_coldwrite ORDER BY id LIMIT %s)
RETURNING memory_id, owner_id
"""
STATES = """
SELECT m.id, o.external_id,
       (to_jsonb(m) - %s::text[]) || jsonb_build_object('agent', a.name)
  FROM memory_core_memory m JOIN memory_core_owner o ON o.id = m.owner_id
  LEFT JOIN memory_core_agent a ON a.id = m.agent_id
 WHERE m.id = ANY(%s::uuid[])
"""


@dataclass(slots=True)
class _Change:
    """What one owner's file gets and loses."""

    new: list[bytes] = field(default_factory=list)
    gone: set[UUID] = field(default_factory=set)


def drain(*, now: datetime, until: float) -> int:
    """Carry over what waits, until a moment of `time.monotonic()`; return how much.

    Returns at once if somebody else is at it.
    """
    count = 0
    while True:
        with transaction.atomic():
            if not locks.try_cold():
                return count
            taken = fetch(TAKE, [AT_ONCE])
            _carry(taken)
        count += len(taken)
        if len(taken) < AT_ONCE:
            _note(now=now)
            return count
        if time.monotonic() >= until:
            return count


def oldest_waiting() -> datetime | None:
    """Return since when the longest waiting write waits, None if none does."""
    return ColdWrite.objects.order_by("pk").values_list("at", flat=True).first()


def refill() -> int:
    """Have every memory written anew, as for an empty folder; return how many."""
    rows = fetch(
        "WITH new AS (INSERT INTO memory_core_coldwrite (memory_id, owner_id)"
        " SELECT id, owner_id FROM memory_core_memory RETURNING 1)"
        " SELECT count(*) FROM new"
    )
    count: int = rows[0][0]
    return count


def _carry(taken: list[tuple[Any, ...]]) -> None:
    """Bring the files to what the memories are now."""
    if not taken:
        return
    owner_of: dict[UUID, int] = dict(taken)
    changed: list[Path] = []
    for owner_id, change in _changes(owner_of).items():
        if change.new:
            folder.append(owner_id, change.new)
        if change.gone:
            folder.rewrite(owner_id, without=change.gone)
        changed.append(folder.file_of(owner_id))
    folder.settle(changed)


def _changes(owner_of: dict[UUID, int]) -> dict[str, _Change]:
    rows = fetch(STATES, [list(IN_RECORD), list(owner_of)])
    states = {pk: (owner_id, state) for pk, owner_id, state in rows}
    owners = {pk: owner_id for pk, (owner_id, _) in states.items()}
    categories = dict(Category.objects.values_list("pk", "name"))
    records = reading.named(list(states), owners, categories=categories)
    changes: dict[str, _Change] = defaultdict(_Change)
    for pk, record in records.items():
        with suppress(KeyDestroyed):  # who is being erased comes into no copy
            line = written(owners[pk], states[pk][1], record)
            changes[owners[pk]].new.append(line)
    gone = owner_of.keys() - records.keys()
    names = _names({owner_of[pk] for pk in gone})
    for pk in gone:
        if owner_of[pk] in names:  # the files of owners without a row are gone too
            changes[names[owner_of[pk]]].gone.add(pk)
    return changes


def _names(owners: set[int]) -> dict[int, str]:
    rows = Owner.objects.filter(pk__in=owners)
    return dict(rows.values_list("pk", "external_id"))


def _note(*, now: datetime) -> None:
    """Say that the cold copy is of this moment."""
    is_ours = Copy.objects.filter(kind=Copy.Kind.COLD).exists()
    surroundings.keep(is_ours=is_ours, now=now)
    Copy.objects.update_or_create(
        kind=Copy.Kind.COLD, name="", defaults={"taken_at": now}
    )
