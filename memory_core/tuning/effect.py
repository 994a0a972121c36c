"""What a change of a half-life does to what is stored, counted in the database.

By the formula of `scoring.live_score`, for active memories that nobody recalls from
now on. Archiving comes later than that: see `consolidation.fading`.
"""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.db import connection

from memory_core.contracts.categories import Effect, Settings
from memory_core.contracts.enums import Status, Tier
from memory_core.models import Category, CategoryOverride, Namespace
from memory_core.scoring.decay import BONUS_PER_ACCESS, DAY
from memory_core.scoring.sql import faded, share

DAYS = (0, 7, 30, 90)

AGE = f"""date_part('epoch', %(now)s::timestamptz
  - CASE WHEN %(has_deadline)s AND m.expire_at IS NOT NULL THEN m.expire_at
    ELSE coalesce(u.last_accessed_at, m.observed_at) END) / {DAY.total_seconds()}"""

FROM = f"""
  FROM memory_core_memory m
  JOIN memory_core_memoryuse u ON u.memory_id = m.id
 CROSS JOIN LATERAL (SELECT {AGE} AS days OFFSET 0) a
 WHERE m.status = {Status.ACTIVE:d} AND m.category_id = %(category)s
   AND CASE WHEN %(namespace)s::bigint IS NOT NULL THEN m.namespace_id = %(namespace)s
       ELSE m.namespace_id <> ALL (%(own)s::bigint[]) END
"""
"""`OFFSET 0` has the age computed once a row, for all of its scores."""


def score(which: str, days: int) -> str:
    """Return the expression of a score in so many days; `which` is old or new."""
    left = (
        f"CASE WHEN m.tier = '{Tier.PERMANENT.value}' THEN 1"
        f" ELSE {share(f'(a.days + {days}) / %({which}_half_life)s')} END"
    )
    return f"""greatest(%({which}_floor)s::float8, least(1,
       {faded("u.base_score", left)}
       + least(%({which}_bonus_cap)s::float8, {BONUS_PER_ACCESS} * u.access_count)))"""


def lies_below(which: str, days: int) -> str:
    """Return the condition of lying below in so many days, by old or new values."""
    return f"{score(which, days)} < %({which}_archive_below)s::float8"


DROPS = f"NOT {lies_below('old', 0)} AND {lies_below('new', 0)}"


def effect(
    category: Category,
    current: Settings,
    proposed: Settings,
    *,
    now: datetime,
    namespace: Namespace | None = None,
    days: Sequence[int] = DAYS,
) -> Effect:
    """Return how many memories are below the threshold, now and later.

    Without a namespace the ones that have values of their own are not counted.
    """
    counts = [
        f"count(*) FILTER (WHERE {lies_below(which, day)})"
        for which in ("old", "new")
        for day in days
    ]
    values = values_of(category, current, proposed, now, namespace)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT count(*), count(*) FILTER (WHERE {DROPS}),"
            f" {', '.join(counts)} {FROM}",
            values,
        )
        total, falling, *below = cursor.fetchone()
    now_below, then_below = below[: len(days)], below[len(days) :]
    return Effect(
        total=total,
        falling=falling,
        below_now=dict(zip(days, now_below, strict=True)),
        below_then=dict(zip(days, then_below, strict=True)),
    )


def values_of(
    category: Category,
    current: Settings,
    proposed: Settings,
    now: datetime,
    namespace: Namespace | None,
) -> dict[str, Any]:
    """Return the values of a statement with `FROM` and `lies_below`."""
    return {
        "category": category.pk,
        "has_deadline": category.has_deadline,
        "namespace": namespace.pk if namespace else None,
        "own": _with_own_values(category),
        "now": now,
        **{f"old_{name}": value for name, value in asdict(current).items()},
        **{f"new_{name}": value for name, value in asdict(proposed).items()},
    }


def _with_own_values(category: Category) -> list[int]:
    """Return the namespaces for which the values of all do not hold."""
    own = CategoryOverride.objects.filter(category=category)
    return list(own.values_list("namespace_id", flat=True))
