"""Erased people leave the cold copy, whatever was on its way there.

A file goes whole: a legal hold on some of its memories keeps their rows in the database
and no second copy of them. A held owner keeps the file.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from django.db import transaction

from memory_core import locks
from memory_core.contracts.erasure import Holds, Stage, Step, StoreCount, Subject
from memory_core.models import ColdWrite, Memory, Owner
from memory_core.snapshots.cold import folder
from memory_core.snapshots.cold.entries import places

HELD = "hold"


class ColdCopyEraser:
    """Takes a person's file out of the cold copy."""

    store = "cold_copy"
    stage = Stage.FILES
    covers = ("memory_core.coldwrite.*",)

    def count(self, subject: Subject, holds: Holds) -> StoreCount:
        """Return how many memories the person's file has."""
        count = _count(subject)
        if _is_held(subject, holds):
            return StoreCount(self.store, count, 0, keep=count, ground=HELD)
        return StoreCount(self.store, count, count)

    def erase(self, subject: Subject, holds: Holds) -> Step:
        """Delete the file, and the replaced texts of blackened memories of others."""
        drop_replaced_texts(_owners_of_mentions(subject))
        if _is_held(subject, holds):
            return Step(held=_count(subject))
        return Step(erased=sum(remove_owner(one) for one in subject.owner_ids))

    def residue(self, subject: Subject, holds: Holds) -> int:
        """Return how many memories are still there without need."""
        return 0 if _is_held(subject, holds) else _count(subject)

    def records(self, subject: Subject) -> Iterator[dict[str, Any]]:
        """Yield nothing: these are copies of what the database has."""
        return iter(())


def remove_owner(owner_id: str) -> int:
    """Delete an owner's file and what waits to go there; return how many memories.

    Waits for the copying that is under way, which may hold the owner's texts.
    """
    with transaction.atomic():
        locks.lock_cold()
        count = memories_of(owner_id)
        folder.file_of(owner_id).unlink(missing_ok=True)
        owners = Owner.objects.filter(external_id=owner_id).values_list("pk", flat=True)
        ColdWrite.objects.filter(owner_id__in=list(owners)).delete()
    return count


def memories_of(owner_id: str) -> int:
    """Return how many of an owner's memories the cold copy has: 0 after an erasure."""
    try:
        with folder.file_of(owner_id).open("rb") as file:
            return len(places(file)) or 1
    except FileNotFoundError:
        return 0


def drop_replaced_texts(owner_ids: Sequence[str]) -> None:
    """Keep only the present text of each memory, as after a text was blackened."""
    if not owner_ids:
        return
    with transaction.atomic():
        locks.lock_cold()
        for owner_id in owner_ids:
            folder.rewrite(owner_id, without=set())


def _owners_of_mentions(subject: Subject) -> list[str]:
    rows = Memory.unscoped.filter(pk__in=list(subject.mentions or {}))
    return list(rows.values_list("owner__external_id", flat=True).distinct())


def _count(subject: Subject) -> int:
    return sum(memories_of(one) for one in subject.owner_ids)


def _is_held(subject: Subject, holds: Holds) -> bool:
    return bool(set(subject.rows) & set(holds.owners))
