"""The copies as a table: the cold copy, then the daily snapshots."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings

from memory_core.models import Copy, Job
from memory_core.snapshots import verifying


@dataclass(frozen=True, slots=True)
class Catalogue:
    """What there is and where; `running` are the copies that are being read back."""

    cold: Copy | None
    daily: Sequence[Copy]
    running: frozenset[str]
    cold_folder: str
    daily_folder: str
    kept: int


def catalogue() -> Catalogue:
    """Return the copies of this moment."""
    cold = Copy.objects.filter(kind=Copy.Kind.COLD).first()
    daily = Copy.objects.filter(kind=Copy.Kind.DAILY).order_by("-taken_at")
    busy = Job.objects.filter(kind=verifying.KIND, state__in=["queued", "running"])
    return Catalogue(
        cold=cold,
        daily=list(daily),
        running=frozenset(busy.values_list("params__name", flat=True)),
        cold_folder=str(settings.COLD_DIR),
        daily_folder=str(settings.SNAPSHOT_DIR),
        kept=settings.SNAPSHOTS_KEPT,
    )
