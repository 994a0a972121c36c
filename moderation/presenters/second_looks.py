"""Decisions that are made again, the first one hidden; and those in dispute."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import F

from memory_core.models import Memory
from moderation.models import SecondLook
from moderation.presenters.queue import reasons_of

SHOWN = 20
KEPT = timedelta(days=14)
"""A rejected memory is there so long, and can be brought back."""


@dataclass(frozen=True, slots=True)
class Question:
    """A memory to be looked at again, and why it had waited."""

    look: SecondLook
    memory: Memory
    reasons: tuple[str, ...]


def open_looks(*, who: str, now: datetime) -> list[Question]:
    """Return what this person may be asked: never their own decisions."""
    rows = SecondLook.objects.filter(second="", drawn_at__gt=now - KEPT)
    return _questions(rows.exclude(first_by=who).order_by("pk")[:SHOWN])


def disputes(*, now: datetime) -> list[Question]:
    """Return where two people decided differently and nobody has settled it."""
    rows = SecondLook.objects.exclude(second="").exclude(second=F("first"))
    rows = rows.filter(settled="", drawn_at__gt=now - KEPT)
    return _questions(rows.order_by("pk")[:SHOWN])


def _questions(looks: Iterable[SecondLook]) -> list[Question]:
    rows = list(looks)
    memories = Memory.unscoped.select_related("source", "category").in_bulk(
        [one.memory_id for one in rows]
    )
    return [
        Question(one, memory, reasons_of(memory))
        for one in rows
        if (memory := memories.get(one.memory_id))
    ]
