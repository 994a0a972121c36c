"""The numbers of measures over a period: each stream is read once for all of them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection

from moderation.presenters.measures import MEASURES, STREAMS, Narrowing

ROWS = 100
ALL = Narrowing()


@dataclass(frozen=True, slots=True)
class Event:
    """One event behind a figure; `good` says on which side of a share it is."""

    at: datetime
    memory_id: UUID | None
    good: bool
    code: str
    amount: float | None


@dataclass(slots=True)
class Numbers:
    """A measure in the period, in the one before and by step; None: no events."""

    drawn: list[float | None]
    value: float | None = None
    before: float | None = None


def numbers(
    keys: Iterable[str],
    *,
    until: datetime,
    period: timedelta,
    step: timedelta,
    narrowing: Narrowing = ALL,
) -> dict[str, Numbers]:
    """Return the numbers of the measures, by their keys."""
    since, by_stream = until - period, defaultdict(list)
    for key in keys:
        by_stream[MEASURES[key].stream].append(key)
    found = {
        key: Numbers([None] * (period // step))
        for among in by_stream.values()
        for key in among
    }
    asked = {
        "since": since - period,
        "middle": since,
        "until": until,
        "step": step,
        "period": period,
        **narrowing.values(),
    }
    for stream, among in by_stream.items():
        for key, fine, coarse, number in _rows(stream, among, asked, narrowing):
            if fine is not None and fine >= since:
                found[key].drawn[(fine - since) // step] = number
            elif coarse == since:
                found[key].value = number
            elif coarse is not None:
                found[key].before = number
    return found


def events(
    key: str, *, since: datetime, until: datetime, narrowing: Narrowing = ALL
) -> Sequence[Event]:
    """Return the latest events behind a figure, the newest first."""
    measure = MEASURES[key]
    asked: Mapping[str, Any] = {
        "since": since,
        "until": until,
        **narrowing.values(),
    }
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT e.at, e.memory_id, {measure.good}, coalesce({measure.code}, ''),"
            f" ({measure.amount})::float8 FROM ({STREAMS[measure.stream]}) e"
            f" WHERE {measure.condition(narrowing)} ORDER BY e.at DESC LIMIT {ROWS}",
            asked,
        )
        return [Event(*row) for row in cursor.fetchall()]


def _rows(
    stream: str, keys: Sequence[str], asked: Mapping[str, Any], narrowing: Narrowing
) -> list[tuple[str, datetime | None, datetime | None, float | None]]:
    """Return key, step or period, and the number there."""
    picked = ", ".join(_picked(key, narrowing) for key in keys)
    units = list(dict.fromkeys(MEASURES[key].unit for key in keys))
    place = {unit: 3 + at for at, unit in enumerate(units)}
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT key, fine, coarse, {', '.join(unit.value for unit in units)}"
            " FROM (SELECT v.key, v.good, v.amount,"
            " date_bin(%(step)s, e.at, %(middle)s) AS fine,"
            " date_bin(%(period)s, e.at, %(since)s) AS coarse"
            f" FROM ({STREAMS[stream]}) e CROSS JOIN LATERAL (VALUES {picked})"
            " AS v(key, counts, good, amount) WHERE v.counts) picked"
            " GROUP BY GROUPING SETS ((key, fine), (key, coarse))",
            asked,
        )
        rows = cursor.fetchall()
    return [
        (row[0], row[1], row[2], None if number is None else float(number))
        for row in rows
        for number in [row[place[MEASURES[row[0]].unit]]]
    ]


def _picked(key: str, narrowing: Narrowing) -> str:
    """What a row means for one measure; only where it counts is the rest looked at."""
    measure = MEASURES[key]
    counts = measure.condition(narrowing)
    return (
        f"('{key}', {counts}, CASE WHEN {counts} THEN {measure.good} END,"
        f" CASE WHEN {counts} THEN ({measure.amount})::float8 END)"
    )
