"""What the figures of health count, as SQL.

A stream gives moments (`at`) between `since` and `until`, with the memory if there is
one. A measure picks rows of a stream: which count, whether one is good, a code, an
amount; and by which condition it is narrowed to one agent or one category.
"""

from dataclasses import dataclass
from enum import Enum

from memory_core.contracts.callers import AGENT
from memory_core.models import Agent, AuditEntry, Category, ClosedSession, Feedback
from moderation.models import QualitySample, ReviewCase

SECONDS_AN_HOUR = 3600


class Unit(Enum):
    """How the events of a measure make one number."""

    COUNT = "count(*)"
    SHARE = "avg(good::int)"
    SUM = "sum(amount)"
    MEDIAN = "percentile_cont(0.5) WITHIN GROUP (ORDER BY amount)"


@dataclass(frozen=True, slots=True)
class Narrowing:
    """One agent, one category, or all where there is none."""

    agent: Agent | None = None
    category: Category | None = None

    def values(self) -> dict[str, object]:
        """Return what the conditions compare with."""
        return {
            "agent": self.agent and self.agent.pk,
            "actor": self.agent and f"{AGENT}{self.agent.name}",
            "category": self.category and self.category.pk,
        }


@dataclass(frozen=True, slots=True)
class Measure:
    """A unit and what is picked from the rows `e` of a stream, as SQL.

    `of_agent` and `of_category` narrow it; empty where that makes no sense.
    """

    unit: Unit
    stream: str
    where: str = "true"
    good: str = "true"
    code: str = "''"
    amount: str = "1"
    of_agent: str = ""
    of_category: str = ""

    def takes(self, narrowing: Narrowing) -> bool:
        """Return whether it can be narrowed like that."""
        return bool(
            (self.of_agent or not narrowing.agent)
            and (self.of_category or not narrowing.category)
        )

    def condition(self, narrowing: Narrowing) -> str:
        """Return which rows count; all of its own where it cannot be narrowed."""
        parts = [self.where]
        if self.takes(narrowing):
            parts += [self.of_agent] if narrowing.agent else []
            parts += [self.of_category] if narrowing.category else []
        return " AND ".join(f"({part})" for part in parts)


ACTOR = "e.actor = %(actor)s"
ITS_OWN = "e.agent_id = %(agent)s"
WRITER = "EXISTS (SELECT FROM memory_core_memory m WHERE m.id = e.memory_id AND {})"
WROTE = WRITER.format("m.agent_id = %(agent)s")
OF_KIND = WRITER.format("m.category_id = %(category)s")

FEEDBACK = Feedback._meta.db_table
SESSIONS = ClosedSession._meta.db_table
EARLIER = (
    f"EXISTS (SELECT FROM {SESSIONS} b WHERE b.owner_id = s.owner_id"
    " AND b.namespace_id = s.namespace_id AND b.id < s.id)"
)

STREAMS: dict[str, str] = {
    "audit": "SELECT at, memory_id, actor, action, outcome, details"
    f" FROM {AuditEntry._meta.db_table} WHERE at >= %(since)s AND at < %(until)s",
    "verdicts": f"SELECT at, memory_id, agent_id, verdict FROM {FEEDBACK}"
    " WHERE at >= %(since)s AND at < %(until)s",
    "reports": "SELECT min(at) AS at, min(agent_id) AS agent_id,"
    " (array_agg(memory_id ORDER BY verdict DESC))[1] AS memory_id,"
    " bool_or(verdict IN ('used', 'useful')) AS hit,"
    " string_agg(DISTINCT verdict, ' ') AS verdict"
    f" FROM {FEEDBACK} WHERE at >= %(since)s AND at < %(until)s"
    " AND recall_id IS NOT NULL GROUP BY recall_id",
    "samples": "SELECT decided_at AS at, kind, is_right,"
    " CASE WHEN kind = 'memory' THEN subject_id END AS memory_id"
    f" FROM {QualitySample._meta.db_table}"
    " WHERE decided_at >= %(since)s AND decided_at < %(until)s",
    "decisions": "SELECT c.decided_at AS at, c.memory_id, c.state,"
    f" extract(epoch FROM c.decided_at - m.created_at) / {SECONDS_AN_HOUR} AS hours"
    f" FROM {ReviewCase._meta.db_table} c"
    " JOIN memory_core_memory m ON m.id = c.memory_id"
    " WHERE c.decided_at >= %(since)s AND c.decided_at < %(until)s",
    "sessions": "SELECT s.closed_at AS at, NULL::uuid AS memory_id, s.agent_id,"
    f" s.outcome, {EARLIER} AS later FROM {SESSIONS} s"
    " WHERE s.closed_at >= %(since)s AND s.closed_at < %(until)s"
    " AND s.outcome <> ''",
}

GIVEN = (
    "CASE WHEN (e.details ->> 'returned')::int > 0 THEN 'recall.found'"
    " ELSE 'recall.empty' END"
)
SAVED = "e.action = 'memory.save' AND e.outcome = 'done'"
EVENT = "e.details ->> 'event'"
REPLACED = "jsonb_array_length(e.details -> 'superseded')"
GONE = (
    "'memory.delete', 'memory.archive', 'consolidation.archived',"
    " 'consolidation.expired'"
)


def _sample(kind: QualitySample.Kind) -> dict[str, str]:
    return {
        "where": f"e.kind = '{kind.value}'",
        "good": "e.is_right",
        "code": "CASE WHEN e.is_right THEN 'right' ELSE 'wrong' END",
    }


def _session(good: str, which: str = "true") -> Measure:
    return Measure(
        Unit.SHARE,
        "sessions",
        which,
        f"e.outcome = '{good}'",
        "e.outcome",
        of_agent=ITS_OWN,
    )


MEASURES: dict[str, Measure] = {
    "recalls": Measure(
        Unit.COUNT, "audit", "e.action = 'recall'", code=GIVEN, of_agent=ACTOR
    ),
    "found": Measure(
        Unit.SHARE,
        "audit",
        "e.action = 'recall'",
        good="(e.details ->> 'returned')::int > 0",
        code=GIVEN,
        of_agent=ACTOR,
    ),
    "hit_rate": Measure(
        Unit.SHARE,
        "reports",
        good="e.hit",
        code="e.verdict",
        of_agent=ITS_OWN,
    ),
    "useful_rate": Measure(
        Unit.SHARE,
        "verdicts",
        "e.verdict IN ('useful', 'not_useful', 'wrong')",
        good="e.verdict = 'useful'",
        code="e.verdict",
        of_agent=ITS_OWN,
        of_category=OF_KIND,
    ),
    "sampled_recall": Measure(
        Unit.SHARE, "samples", **_sample(QualitySample.Kind.RECALL)
    ),
    "write_precision": Measure(
        Unit.SHARE,
        "audit",
        "e.action IN ('review.approve', 'review.reject')",
        good="e.action = 'review.approve'",
        code="e.action",
        of_agent=WROTE,
        of_category=OF_KIND,
    ),
    "sampled_precision": Measure(
        Unit.SHARE,
        "samples",
        of_agent=WROTE,
        of_category=OF_KIND,
        **_sample(QualitySample.Kind.MEMORY),
    ),
    "review_wait": Measure(
        Unit.MEDIAN,
        "decisions",
        good="e.state = 'approved'",
        code="e.state",
        amount="e.hours",
        of_agent=WROTE,
        of_category=OF_KIND,
    ),
    "refused": Measure(
        Unit.COUNT,
        "audit",
        "e.outcome = 'refused'",
        code="e.details ->> 'code'",
        of_agent=ACTOR,
    ),
    "completed_first": _session("completed", "NOT e.later"),
    "completed_later": _session("completed", "e.later"),
    "withdrawn": _session("withdrawn"),
    "complained": _session("complained"),
    "growth": Measure(
        Unit.SUM,
        "audit",
        f"{SAVED} AND {EVENT} = 'added' OR e.action IN ({GONE})",
        good="e.action = 'memory.save'",
        code="e.action",
        amount=f"CASE WHEN e.action = 'memory.save' THEN 1 - {REPLACED} ELSE -1 END",
    ),
    "decay": Measure(
        Unit.COUNT,
        "audit",
        "e.action IN ('consolidation.archived', 'consolidation.expired')",
        code="e.action",
        of_agent=WROTE,
        of_category=OF_KIND,
    ),
    "duplicates": Measure(
        Unit.SHARE,
        "audit",
        SAVED,
        good=f"{EVENT} IN ('reinforced', 'unchanged')",
        code=EVENT,
        of_agent=ACTOR,
        of_category=OF_KIND,
    ),
    "contradictions": Measure(
        Unit.SHARE,
        "audit",
        SAVED,
        good=f"{REPLACED} > 0",
        code=EVENT,
        of_agent=ACTOR,
        of_category=OF_KIND,
    ),
}
