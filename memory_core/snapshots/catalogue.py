"""What copies there are: noted when one is taken, read whole again, dropped, missed."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from memory_core.models import Copy, Memory

DAY = timedelta(hours=26)
"""A day and the hour that the task may be late."""
BEHIND = timedelta(minutes=1)
"""How old a write may become before it is in the cold copy."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """Something about the copies that a person must see: a code and since when."""

    code: str
    since: datetime | None = None


def note_daily(name: str, *, memories: int, size: int, at: datetime) -> Copy:
    """Return the row of a daily snapshot that was just written."""
    row, _ = Copy.objects.update_or_create(
        kind=Copy.Kind.DAILY,
        name=name,
        defaults={
            "taken_at": at,
            "memories": memories,
            "size": size,
            "verified_at": None,
            "is_sound": None,
            "finding": "",
        },
    )
    return row


def note_shorter(name: str, *, memories: int, size: int) -> None:
    """Note that somebody left a daily snapshot; it has to be verified again."""
    Copy.objects.filter(kind=Copy.Kind.DAILY, name=name).update(
        memories=memories, size=size, verified_at=None, is_sound=None, finding=""
    )


def drop_daily(names: list[str]) -> None:
    """Forget snapshots whose files are gone."""
    Copy.objects.filter(kind=Copy.Kind.DAILY, name__in=names).delete()


def alarms(*, waiting_since: datetime | None, now: datetime) -> list[Alarm]:
    """Return what is wrong with the copies; empty when all is well.

    `waiting_since` is the moment of the oldest write that is not in the cold copy.
    """
    found = []
    if waiting_since and now - waiting_since > BEHIND:
        found.append(Alarm("cold_copy_behind", waiting_since))
    if settings.SNAPSHOTS_KEPT and (since := _day_missed(now)):
        found.append(Alarm("snapshot_missed", since))
    broken = Copy.objects.filter(is_sound=False).order_by("verified_at").first()
    if broken:
        found.append(Alarm("copy_unsound", broken.verified_at))
    return found


def _day_missed(now: datetime) -> datetime | None:
    """Return the moment of the last snapshot, or of the first memory, if too old."""
    daily = Copy.objects.filter(kind=Copy.Kind.DAILY).order_by("-taken_at").first()
    last = daily.taken_at if daily else _first_memory()
    return last if last and now - last > DAY else None


def _first_memory() -> datetime | None:
    """Return when the memory of the lowest id was made: ids are in order of time."""
    moments = Memory.unscoped.order_by("pk").values_list("created_at", flat=True)
    return moments.first()
