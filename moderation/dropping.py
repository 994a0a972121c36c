"""How much of a category a change drops, with the other changes of the week.

Several small changes in a row are one large change, so a new one is measured against
the most generous values that were in force since then.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from memory_core.actions.categories import settings_of
from memory_core.contracts.categories import Settings
from memory_core.models import Category, CategoryVersion, Namespace
from memory_core.tuning.effect import effect
from moderation.models import CategoryChange

TOGETHER = timedelta(days=7)
"""Changes within so long count as one, unless a second person confirmed one."""


def dropped_share(
    category: Category,
    settings: Settings,
    *,
    now: datetime,
    namespace: Namespace | None = None,
) -> float:
    """Return the part of the active memories that this and the week's changes drop.

    That is what would be below the threshold at once and would not be by the values of
    `most_generous`, in [0, 1].
    """
    before = most_generous(category, namespace, now=now)
    found = effect(category, before, settings, now=now, namespace=namespace, days=(0,))
    return found.falling_share


def most_generous(
    category: Category, namespace: Namespace | None, *, now: datetime
) -> Settings:
    """Return the values by which the most is kept: of each the best of the week.

    The week ends early at a change that a second person confirmed. The present values
    are among them.
    """
    values = [settings_of(category, namespace)]
    values += [Settings(**one) for one in _recent(category, namespace, now)]
    return Settings(
        half_life=max(one.half_life for one in values),
        floor=max(one.floor for one in values),
        bonus_cap=max(one.bonus_cap for one in values),
        archive_below=min(one.archive_below for one in values),
    )


def _recent(
    category: Category, namespace: Namespace | None, now: datetime
) -> Iterable[dict[str, Any]]:
    """Return the values in force at any time of the week, present ones excepted."""
    confirmed = CategoryChange.objects.filter(
        category=category,
        namespace=namespace,
        state=CategoryChange.State.CONFIRMED,
        decided_at__gt=now - TOGETHER,
    ).order_by("decided_at")
    last = confirmed.last()
    versions = CategoryVersion.objects.filter(category=category, namespace=namespace)
    if last is not None and last.decided_at is not None:
        # the first version is what was before any change
        changed = versions.filter(created_at__gte=last.decided_at, version__gt=1)
        return changed.values_list("values", flat=True)
    since = now - TOGETHER
    earlier = versions.filter(created_at__lte=since).order_by("pk").last()
    later = versions.filter(created_at__gt=since)
    recent = list(later.values_list("values", flat=True))
    if earlier is not None:
        return [earlier.values, *recent]
    if namespace is not None:  # until its first version it had the values of all
        return [*recent, *_recent(category, None, now)]
    return recent
