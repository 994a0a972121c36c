"""One memory with its past, its future and its uses."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from memory_core.contracts.enums import Tier
from memory_core.contracts.trust import TrustRank
from memory_core.models import (
    Agent,
    CategoryOverride,
    Memory,
    MemoryVersion,
    RecallEvent,
)
from memory_core.scoring import DAY, Policy, Strength, live_score
from moderation.presenters.charts import Chart, days_chart
from moderation.presenters.subject_flags import Flags, flags_of

USES = 20
STEPS = 60
LONGEST = 3650


@dataclass(frozen=True, slots=True)
class Use:
    """A memory was served: when, to whom, at which rank."""

    at: datetime
    agent: str
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Detail:
    """What the page of one memory shows; `fades_at` is None for what never fades."""

    memory: Memory
    score: float
    chart: Chart
    fades_at: datetime | None
    versions: list[MemoryVersion]
    predecessors: list[Memory]
    merged: list[Memory]
    parents: list[Memory]
    uses: list[Use]
    trust: str
    flags: Flags


def look(memory: Memory, *, now: datetime) -> Detail:
    """Return the detail of a memory at this moment."""
    policy, strength = policy_of(memory), strength_of(memory)
    fades_at = fading_day(strength, policy, now=now)
    return Detail(
        memory=memory,
        score=live_score(strength, policy, now=now),
        chart=_chart(strength, policy, fades_at, now=now),
        fades_at=fades_at,
        versions=list(memory.versions.order_by("-pk")),
        predecessors=_with_source(memory.supersedes.all()),
        merged=_with_source(memory.merged.all()),
        parents=_with_source(Memory.unscoped.filter(pk__in=memory.derived_from)),
        uses=_uses(memory),
        trust=TrustRank(memory.lineage_trust).name.lower(),
        flags=flags_of(memory, now=now),
    )


def policy_of(memory: Memory) -> Policy:
    """Return the policy that holds for a memory in its namespace."""
    own = CategoryOverride.objects.filter(
        category=memory.category, namespace=memory.namespace
    ).first()
    values = own or memory.category
    return Policy(
        half_life=values.half_life,
        floor=values.floor,
        bonus_cap=values.bonus_cap,
        archive_below=values.archive_below,
        has_deadline=memory.category.has_deadline,
    )


def strength_of(memory: Memory) -> Strength:
    """Return what is stored of a memory's strength."""
    return Strength(
        base=memory.use.base_score,
        since=memory.use.last_accessed_at or memory.observed_at,
        accesses=memory.use.access_count,
        permanent=memory.tier == Tier.PERMANENT,
        deadline=memory.expire_at,
    )


def fading_day(strength: Strength, policy: Policy, *, now: datetime) -> datetime | None:
    """Return when the score falls below the threshold, None if not within ten years."""
    if live_score(strength, policy, now=now) < policy.archive_below:
        return now
    low, high = 0, LONGEST
    if live_score(strength, policy, now=now + high * DAY) >= policy.archive_below:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        below = live_score(strength, policy, now=now + middle * DAY)
        low, high = (middle, high) if below >= policy.archive_below else (low, middle)
    return now + timedelta(days=high)


def _chart(
    strength: Strength, policy: Policy, fades_at: datetime | None, *, now: datetime
) -> Chart:
    ahead = (fades_at - now) / DAY * 1.4 if fades_at else policy.half_life * 3
    days = min(LONGEST, max(30.0, ahead))
    points = [
        (day, live_score(strength, policy, now=now + timedelta(days=day)))
        for day in (days * step / STEPS for step in range(STEPS + 1))
    ]
    return days_chart(
        _("Score in the coming days"),
        [(_("score"), "now", points)],
        days=days,
        threshold=policy.archive_below,
        rows=[
            (_("after %(days)d days") % {"days": day}, f"{score:.2f}")
            for day, score in points[:: STEPS // 6]
        ],
    )


def _with_source(rows: object) -> list[Memory]:
    return list(rows.select_related("source").order_by("pk"))  # type: ignore[attr-defined]


def _uses(memory: Memory) -> list[Use]:
    events = list(
        RecallEvent.objects.filter(memory_id=memory.pk).order_by("-at")[:USES]
    )
    names = Agent.objects.in_bulk({event.agent_id for event in events})
    return [
        Use(
            event.at,
            names[event.agent_id].name if event.agent_id in names else "–",
            event.rank,
            event.score,
        )
        for event in events
    ]
