"""What a change of a half-life does, with examples, in one pass over what is stored."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from memory_core.contracts.categories import Effect, Example, Outlook, Settings
from memory_core.models import Category, Memory, Namespace
from memory_core.tuning.effect import DAYS, FROM, score, values_of

EXAMPLES = 5

DROPS = "before >= %(old_archive_below)s AND after < %(new_archive_below)s"
STAYS = "after >= %(new_archive_below)s"


def outlook(
    category: Category,
    current: Settings,
    proposed: Settings,
    *,
    now: datetime,
    namespace: Namespace | None = None,
) -> Outlook:
    """Return how many memories fall below now and later, and examples of a day.

    By the formula and for the memories of `effect`. The day is the first one by which
    the change puts more below; of it come the five strongest that only the change
    puts below, and the five weakest that it leaves above.
    """
    values = values_of(category, current, proposed, now, namespace)
    with connection.cursor() as cursor:
        cursor.execute(STATEMENT, values)
        day, drops, stays, total, falling, *below = cursor.fetchone()
    texts = _texts([*drops, *stays])
    return Outlook(
        effect=Effect(
            total=total,
            falling=falling,
            below_now=dict(zip(DAYS, below[: len(DAYS)], strict=True)),
            below_then=dict(zip(DAYS, below[len(DAYS) :], strict=True)),
        ),
        day=day,
        drops=_examples(drops, texts),
        stays=_examples(stays, texts),
    )


def _texts(found: list[list[Any]]) -> dict[UUID, str]:
    rows = Memory.unscoped.filter(pk__in=[one[0] for one in found])
    return dict(rows.values_list("pk", "content"))


def _examples(found: list[list[Any]], texts: Mapping[UUID, str]) -> list[Example]:
    """Return the examples, less one that is deleted in this very moment."""
    rows = [(UUID(one[0]), one[1], one[2]) for one in found]
    return [Example(pk, texts[pk], *scores) for pk, *scores in rows if pk in texts]


def _statement() -> str:
    both = [(which, day) for which in ("old", "new") for day in DAYS]
    scores = [f"{score(which, day)} AS {which}_{day}" for which, day in both]
    below = [
        f"count(*) FILTER (WHERE {which}_{day} < %({which}_archive_below)s)"
        f" AS {which}_{day}"
        for which, day in both
    ]
    more = [f"WHEN new_{day} > old_{day} THEN {day}" for day in DAYS]
    return f"""
WITH scored AS MATERIALIZED (SELECT m.id, {", ".join(scores)} {FROM}),
counted AS (
  SELECT count(*) AS total,
         count(*) FILTER (WHERE old_0 >= %(old_archive_below)s
                            AND new_0 < %(new_archive_below)s) AS falling,
         {", ".join(below)}
    FROM scored),
chosen AS (SELECT CASE {" ".join(more)} ELSE 0 END AS day FROM counted),
on_day AS NOT MATERIALIZED (
  SELECT id, {_of_day("old")} AS before, {_of_day("new")} AS after
    FROM scored, chosen)
SELECT chosen.day, {_first(DROPS, "before DESC")}, {_first(STAYS, "after")}, counted.*
  FROM chosen, counted
"""


def _of_day(which: str) -> str:
    cases = [f"WHEN {day} THEN {which}_{day}" for day in DAYS]
    return f"CASE day {' '.join(cases)} END"


def _first(where: str, order: str) -> str:
    return f"""(SELECT coalesce(json_agg(json_build_array(id, before, after)), '[]')
    FROM (SELECT * FROM on_day WHERE {where} ORDER BY {order}, id LIMIT {EXAMPLES}) e)
"""


STATEMENT = _statement()
