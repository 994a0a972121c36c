"""What the figures of health count: for each the events behind it, in one statement.

A statement gives `at`, the memory if there is one, whether the event is good, a code
and an amount, for the moments between `since` and `until`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Any
from uuid import UUID

from django.db import connection

from memory_core.models import AuditEntry, ClosedSession, Feedback
from moderation.models import QualitySample, ReviewCase

ROWS = 100
SECONDS_AN_HOUR = 3600


class Unit(Enum):
    """How the events of a measure make one number."""

    COUNT = "count(*)"
    SHARE = "avg(good::int)"
    SUM = "sum(amount)"
    MEDIAN = "percentile_cont(0.5) WITHIN GROUP (ORDER BY amount)"


@dataclass(frozen=True, slots=True)
class Measure:
    """A unit and the statement of the events."""

    unit: Unit
    events: str


@dataclass(frozen=True, slots=True)
class Event:
    """One event behind a figure; `good` says on which side of a share it is."""

    at: datetime
    memory_id: UUID | None
    good: bool
    code: str
    amount: float | None


Values = list[float | None]

AUDIT = AuditEntry._meta.db_table
IN_TIME = "at >= %(since)s AND at < %(until)s"


def _audit(
    where: str, *, good: str = "true", code: str = "action", amount: str = "1"
) -> str:
    return (
        f"SELECT at, memory_id, {good} AS good, {code} AS code,"
        f" {amount}::float8 AS amount FROM {AUDIT} WHERE {IN_TIME} AND {where}"
    )


def _feedback(where: str, good: str) -> str:
    return (
        f"SELECT at, memory_id, {good} AS good, verdict AS code, NULL::float8 AS amount"
        f" FROM {Feedback._meta.db_table} WHERE {IN_TIME} AND {where}"
    )


def _sampled(kind: QualitySample.Kind) -> str:
    memory = "subject_id" if kind == QualitySample.Kind.MEMORY else "NULL::uuid"
    return (
        f"SELECT decided_at AS at, {memory} AS memory_id, is_right AS good,"
        " CASE WHEN is_right THEN 'right' ELSE 'wrong' END AS code,"
        f" NULL::float8 AS amount FROM {QualitySample._meta.db_table}"
        f" WHERE decided_at >= %(since)s AND decided_at < %(until)s"
        f" AND kind = '{kind.value}'"
    )


def _sessions(good: str, which: str = "true") -> str:
    table = ClosedSession._meta.db_table
    return (
        f"SELECT closed_at AS at, NULL::uuid AS memory_id, {good} AS good,"
        f" outcome AS code, rounds::float8 AS amount FROM {table} s"
        " WHERE closed_at >= %(since)s AND closed_at < %(until)s AND outcome <> ''"
        f" AND {which}"
    )


EARLIER = (
    f"EXISTS (SELECT FROM {ClosedSession._meta.db_table} b"
    " WHERE b.owner_id = s.owner_id AND b.namespace_id = s.namespace_id"
    " AND b.id < s.id)"
)
GIVEN = (
    "CASE WHEN (details ->> 'returned')::int > 0 THEN 'recall.found'"
    " ELSE 'recall.empty' END"
)
SAVED = "action = 'memory.save' AND outcome = 'done'"
GONE = (
    "'memory.delete', 'memory.archive', 'consolidation.archived',"
    " 'consolidation.expired'"
)

MEASURES: dict[str, Measure] = {
    "recalls": Measure(Unit.COUNT, _audit("action = 'recall'", code=GIVEN)),
    "found": Measure(
        Unit.SHARE,
        _audit(
            "action = 'recall'",
            good="(details ->> 'returned')::int > 0",
            code=GIVEN,
        ),
    ),
    "hit_rate": Measure(
        Unit.SHARE,
        "SELECT min(at) AS at, (array_agg(memory_id ORDER BY verdict DESC))[1]"
        " AS memory_id, bool_or(verdict IN ('used', 'useful')) AS good,"
        " string_agg(DISTINCT verdict, ' ') AS code, count(*)::float8 AS amount"
        f" FROM {Feedback._meta.db_table}"
        f" WHERE {IN_TIME} AND recall_id IS NOT NULL GROUP BY recall_id",
    ),
    "useful_rate": Measure(
        Unit.SHARE,
        _feedback("verdict IN ('useful', 'not_useful', 'wrong')", "verdict = 'useful'"),
    ),
    "sampled_recall": Measure(Unit.SHARE, _sampled(QualitySample.Kind.RECALL)),
    "write_precision": Measure(
        Unit.SHARE,
        _audit(
            "action IN ('review.approve', 'review.reject')",
            good="action = 'review.approve'",
        ),
    ),
    "sampled_precision": Measure(Unit.SHARE, _sampled(QualitySample.Kind.MEMORY)),
    "review_wait": Measure(
        Unit.MEDIAN,
        "SELECT c.decided_at AS at, c.memory_id, c.state = 'approved' AS good,"
        " c.state AS code, (extract(epoch FROM c.decided_at - m.created_at)"
        f" / {SECONDS_AN_HOUR})::float8 AS amount"
        f" FROM {ReviewCase._meta.db_table} c"
        " JOIN memory_core_memory m ON m.id = c.memory_id"
        " WHERE c.decided_at >= %(since)s AND c.decided_at < %(until)s",
    ),
    "refused": Measure(
        Unit.COUNT, _audit("outcome = 'refused'", code="details ->> 'code'")
    ),
    "completed_first": Measure(
        Unit.SHARE, _sessions("outcome = 'completed'", f"NOT {EARLIER}")
    ),
    "completed_later": Measure(Unit.SHARE, _sessions("outcome = 'completed'", EARLIER)),
    "withdrawn": Measure(Unit.SHARE, _sessions("outcome = 'withdrawn'")),
    "complained": Measure(Unit.SHARE, _sessions("outcome = 'complained'")),
    "growth": Measure(
        Unit.SUM,
        _audit(
            f"({SAVED} AND details ->> 'event' = 'added' OR action IN ({GONE}))",
            good="action = 'memory.save'",
            amount="CASE WHEN action = 'memory.save'"
            " THEN 1 - jsonb_array_length(details -> 'superseded') ELSE -1 END",
        ),
    ),
    "decay": Measure(
        Unit.COUNT,
        _audit("action IN ('consolidation.archived', 'consolidation.expired')"),
    ),
    "duplicates": Measure(
        Unit.SHARE,
        _audit(
            SAVED,
            good="details ->> 'event' IN ('reinforced', 'unchanged')",
            code="details ->> 'event'",
        ),
    ),
    "contradictions": Measure(
        Unit.SHARE,
        _audit(
            SAVED,
            good="jsonb_array_length(details -> 'superseded') > 0",
            code="details ->> 'event'",
        ),
    ),
}


def values(key: str, *, since: datetime, step: timedelta, count: int) -> Values:
    """Return the number of each of `count` steps from `since`, None without events."""
    measure = MEASURES[key]
    filled: Values = [None] * count
    asked: dict[str, Any] = {
        "since": since,
        "until": since + count * step,
        "step": step,
    }
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT date_bin(%(step)s, at, %(since)s) AS bin,"
            f" {measure.unit.value} FROM ({measure.events}) e GROUP BY bin",
            asked,
        )
        for at, number in cursor.fetchall():
            filled[(at - since) // step] = None if number is None else float(number)
    return filled


def events(key: str, *, since: datetime, until: datetime) -> Sequence[Event]:
    """Return the latest events behind a figure, the newest first."""
    asked: Mapping[str, Any] = {"since": since, "until": until}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT at, memory_id, good, coalesce(code, ''), amount"
            f" FROM ({MEASURES[key].events}) e ORDER BY at DESC LIMIT {ROWS}",
            asked,
        )
        return [Event(*row) for row in cursor.fetchall()]
