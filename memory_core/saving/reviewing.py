"""What a reviewer agent may look at and decide, by the policy of a namespace."""

from datetime import datetime, timedelta

from django.db.models import F, Func, IntegerField, QuerySet, Value

from memory_core.contracts.callers import AGENT
from memory_core.contracts.enums import AgentReview, SourceKind, Status, Tier
from memory_core.models import Memory
from memory_core.saving.holding import INFERENCE, SAMPLED, SENSITIVE

DAY, WEEK = timedelta(days=1), timedelta(days=7)
AGENTS_SHARE = 0.2
BY_POLICY = frozenset({INFERENCE, SAMPLED})

PLACES = 65_536  # two bytes of the text's digest: the same sample whenever it is asked


def sample_of_inferences(rows: QuerySet[Memory], *, now: datetime) -> QuerySet[Memory]:
    """Return a share of the last day's active inferences that nobody looked at.

    The share is the namespace's `review_share`.
    """
    new = rows.filter(
        status=Status.ACTIVE,
        reviewed_at=None,
        source__kind=SourceKind.INFERENCE,
        created_at__gt=now - DAY,
    )
    placed = new.annotate(place=_byte(0) * 256 + _byte(1))
    return placed.filter(place__lt=F("namespace__review_share") * PLACES)


def sample_of_agents_decisions(
    rows: QuerySet[Memory], *, now: datetime
) -> QuerySet[Memory]:
    """Return a fifth of what reviewer agents decided in the last week."""
    decided = rows.filter(reviewed_at__gt=now - WEEK, reviewed_by__startswith=AGENT)
    placed = decided.annotate(place=_byte(2) * 256 + _byte(3))
    return placed.filter(place__lt=AGENTS_SHARE * PLACES)


def _byte(number: int) -> Func:
    column, place = F("text_key"), Value(number)
    return Func(column, place, function="get_byte", output_field=IntegerField())


def agent_may_reject(memory: Memory) -> bool:
    """Return whether a reviewer agent may reject the memory."""
    return memory.namespace.agent_review != AgentReview.NONE


def agent_may_approve(memory: Memory) -> bool:
    """Return whether a reviewer agent may approve the memory.

    A harmless inference waits for no other reason than that it is one, is not to be
    permanent and asks for no sensitive action.
    """
    policy = memory.namespace.agent_review
    if policy != AgentReview.INFERENCES:
        return policy == AgentReview.ALL
    reasons = set(memory.decision.get("reasons", ()))
    tags = memory.verdict.get("tags", ())
    return (
        memory.source.kind == SourceKind.INFERENCE
        and memory.tier != Tier.PERMANENT
        and reasons <= BY_POLICY
        and not any(tag.startswith(SENSITIVE) for tag in tags)
    )
