"""Whether a half-life fits: what recalls of some days say of it.

A category is too short if memories that are recalled again and again keep falling,
too long if ones that nobody used for two half-lives still take the first places.
Before the oldest event that is kept (90 days) a use is known by the access count
only: a memory that was recalled then counts as used at that time.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db import connection

from memory_core.contracts.categories import Sighting, Verdict
from memory_core.contracts.enums import Tier
from memory_core.models import Category, Namespace
from memory_core.recall.rows import POLICY
from memory_core.scoring import DAY

PERIOD = timedelta(days=7)
EVENTS_KEPT = timedelta(days=90)
OFTEN = 3
"""Different hours with a recall that are "again and again"."""
LOSS = 0.01
"""Of the score, below which nothing has fallen."""
FIRST_PLACES = 3
HALF_LIVES = 2
FEWEST = 5
"""Memories or first places below which nothing is said."""
SHORT_SHARE = 0.5
LONG_SHARE = 0.25
ROWS = 20
MOST = 50_000
"""Recalled memories, the latest of the period, that are looked at."""

SERVED = f"""
  FROM (SELECT * FROM memory_core_recallevent
         WHERE at >= %(since)s AND at < %(now)s ORDER BY at DESC LIMIT {MOST}) e
  JOIN memory_core_memory m ON m.id = e.memory_id
  JOIN memory_core_memoryuse u ON u.memory_id = m.id {POLICY}
 WHERE m.category_id = %(category)s
   AND CASE WHEN %(namespace)s::bigint IS NOT NULL THEN m.namespace_id = %(namespace)s
       ELSE o.id IS NULL END
   AND m.tier <> '{Tier.PERMANENT.value}'
   AND NOT (c.has_deadline AND m.expire_at > %(now)s)
"""
OFTEN_RECALLED = f"""
SELECT m.id AS id, count(DISTINCT date_trunc('hour', e.at)) AS times,
  (array_agg(e.score ORDER BY e.at, e.id))[1] AS first,
  (array_agg(e.score ORDER BY e.at DESC, e.id DESC))[1] AS last
 {SERVED} GROUP BY m.id HAVING count(DISTINCT date_trunc('hour', e.at)) >= {OFTEN}
"""
HAS_FALLEN = f"last < first - {LOSS}"
USED_BEFORE = """coalesce(
  (SELECT max(b.at) FROM memory_core_recallevent b
    WHERE b.memory_id = m.id AND b.at < e.at),
  CASE WHEN u.access_count <= (SELECT count(*) FROM memory_core_recallevent k
      WHERE k.memory_id = m.id) THEN m.observed_at
    ELSE greatest(m.observed_at, %(kept)s) END)"""
FIRSTS = f"""
SELECT m.id AS id, coalesce(o.half_life, c.half_life) AS half_life,
  date_part('epoch', e.at - {USED_BEFORE}) / {DAY.total_seconds()} AS idle
 {SERVED} AND e.rank <= {FIRST_PLACES}
"""
IS_IDLE = f"idle >= {HALF_LIVES} * half_life"


def verdict(
    category: Category, *, now: datetime, namespace: Namespace | None = None
) -> Verdict:
    """Return what the recalls of the last seven days say of a half-life.

    Too short: half of the memories that were recalled in at least three different
    hours ended lower than they began. Too long: a quarter of the first three places
    went to memories that nobody had recalled for two half-lives. Fewer than five say
    nothing.
    """
    values = _values(category, now, namespace)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT count(*), count(*) FILTER (WHERE {HAS_FALLEN})"
            f" FROM ({OFTEN_RECALLED}) AS often",
            values,
        )
        often, falling = cursor.fetchone()
        cursor.execute(
            f"SELECT count(*), count(*) FILTER (WHERE {IS_IDLE}) FROM ({FIRSTS}) AS f",
            values,
        )
        firsts, idle = cursor.fetchone()
    return Verdict(
        often=often,
        falling=falling,
        firsts=firsts,
        idle=idle,
        is_too_short=often >= FEWEST and falling / often >= SHORT_SHARE,
        is_too_long=firsts >= FEWEST and idle / firsts >= LONG_SHARE,
        is_known=often >= FEWEST or firsts >= FEWEST,
    )


def falling(
    category: Category, *, now: datetime, namespace: Namespace | None = None
) -> list[Sighting]:
    """Return what was recalled again and again and fell, the most fallen first."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT x.id, m.content, x.times, x.first, x.last"
            f" FROM ({OFTEN_RECALLED}) x JOIN memory_core_memory m ON m.id = x.id"
            f" WHERE {HAS_FALLEN}"
            f" ORDER BY x.last - x.first, x.id LIMIT {ROWS}",
            _values(category, now, namespace),
        )
        return [Sighting(*row) for row in cursor.fetchall()]


def idle(
    category: Category, *, now: datetime, namespace: Namespace | None = None
) -> list[Sighting]:
    """Return memories that came first unused for two half-lives, longest idle first."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT x.id, m.content, max(x.idle) FROM ({FIRSTS}) x"
            " JOIN memory_core_memory m ON m.id = x.id"
            f" WHERE {IS_IDLE} GROUP BY x.id, m.content"
            f" ORDER BY 3 DESC, x.id LIMIT {ROWS}",
            _values(category, now, namespace),
        )
        return [
            Sighting(memory_id, content, idle_days=days)
            for memory_id, content, days in cursor.fetchall()
        ]


def _values(
    category: Category, now: datetime, namespace: Namespace | None
) -> dict[str, Any]:
    return {
        "category": category.pk,
        "namespace": namespace.pk if namespace else None,
        "now": now,
        "since": now - PERIOD,
        "kept": now - EVENTS_KEPT,
    }
