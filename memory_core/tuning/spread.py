"""The effect of a half-life by the source and the age of what is stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from memory_core.contracts.categories import Settings
from memory_core.models import Category, Namespace, Source
from memory_core.tuning import effect

BARS = 30
SOURCES = 10
DAYS = (0, 7, 30, 90)
BY_SOURCE, BY_AGE, OF_ALL = 1, 2, 3
"""What PostgreSQL's grouping(source_id, band) says of a row."""

AGE = """date_part('epoch', %(now)s::timestamptz
  - coalesce(u.last_accessed_at, m.observed_at)) / 86400"""


@dataclass(frozen=True, slots=True)
class AgeBand:
    """Memories of one age (days, `until` excluded) and how many a change drops."""

    since: float
    until: float
    stay: int
    drop: int


@dataclass(frozen=True, slots=True)
class SourceShare:
    """What a source wrote and how much of it lies below; without one: all others.

    `below_now` is as it is and at once, `below_then` as proposed by days from now.
    """

    source: Source | None
    total: int
    below_now: int
    below_then: dict[int, int]


@dataclass(frozen=True, slots=True)
class Spread:
    """Bands up to an age, how many are older, the median age, and the sources."""

    bands: list[AgeBand]
    older: AgeBand
    median_days: float | None
    sources: list[SourceShare]


def spread(
    category: Category,
    current: Settings,
    proposed: Settings,
    *,
    days: float,
    now: datetime,
    namespace: Namespace | None = None,
) -> Spread:
    """Return who and how old the active memories are that a change touches.

    Ages are those that decay counts: days since the last recall, else since it was
    said; bands reach up to `days`. Sources come by what the change drops within 90
    days, most first, the ten first ones by name.
    """
    values = effect.values_of(category, current, proposed, now, namespace)
    with connection.cursor() as cursor:
        cursor.execute(_statement(), {**values, "days": days, "bars": BARS})
        rows = cursor.fetchall()
    ages = {row[1]: row for row in rows if row[0] == BY_AGE}
    [median] = [row[-1] for row in rows if row[0] == OF_ALL]
    return Spread(
        bands=[_band(ages.get(at), at, days) for at in range(1, BARS + 1)],
        older=_band(ages.get(BARS + 1), BARS + 1, days),
        median_days=median,
        sources=_sources([row for row in rows if row[0] == BY_SOURCE]),
    )


def _band(row: Sequence[Any] | None, at: int, days: float) -> AgeBand:
    width = days / BARS
    total, drop = (row[3], row[-2]) if row else (0, 0)
    return AgeBand((at - 1) * width, at * width, total - drop, drop)


def _sources(rows: list[Sequence[Any]]) -> list[SourceShare]:
    rows = sorted(rows, key=lambda row: (row[4] - row[8], -row[3], row[2]))
    named, others = rows[:SOURCES], rows[SOURCES:]
    found = Source.objects.select_related("namespace").in_bulk([r[2] for r in named])
    shares = [_share(found.get(row[2]), row[3:9]) for row in named]
    if others:
        sums = [sum(row[at] for row in others) for at in range(3, 9)]
        shares.append(_share(None, sums))
    return shares


def _share(source: Source | None, counts: Sequence[int]) -> SourceShare:
    total, now, *then = counts
    return SourceShare(source, total, now, dict(zip(DAYS, then, strict=True)))


def _statement() -> str:
    then = (effect.lies_below("new", day) for day in DAYS)
    below = [effect.lies_below("old", 0), *then]
    return f"""
SELECT grouping(source_id, band), band, source_id, count(*),
       {", ".join(f"count(*) FILTER (WHERE b{at})" for at in range(len(below)))},
       count(*) FILTER (WHERE NOT b0 AND b1),
       percentile_disc(0.5) WITHIN GROUP (ORDER BY age)
  FROM (SELECT m.source_id, {AGE} AS age,
               least(width_bucket(greatest({AGE}, 0), 0, %(days)s, %(bars)s),
                     %(bars)s + 1) AS band,
               {", ".join(f"{one} AS b{at}" for at, one in enumerate(below))}
          {effect.FROM}) each
 GROUP BY GROUPING SETS ((source_id), (band), ())
"""
