"""Where a policy asks for two people: the first one's word, and who may have the next.

A reviewer agent may be one of the two, never both. Everything here runs in the
transaction that has locked the memory.
"""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from memory_core import auditing
from memory_core.contracts.callers import AGENT, Actor, is_agent
from memory_core.contracts.enums import SecondReview, Status, Tier
from memory_core.contracts.trust import TrustRank
from memory_core.exceptions import BeyondPolicy, TransitionRefused
from memory_core.models import FirstApproval, Memory
from memory_core.saving import transitions

UNDECIDED = (Status.PENDING, Status.ACTIVE)


def rule_for(memory: Memory) -> str:
    """Return the rule by which two must agree to let the memory in, "" for none."""
    reasons = [*memory.decision.get("reasons", []), *memory.verdict.get("tags", [])]
    fits = {
        SecondReview.SENSITIVE: any("sensitive" in one for one in reasons),
        SecondReview.PERMANENT: memory.tier == Tier.PERMANENT
        or "permanent_needs_review" in reasons,
        SecondReview.LOW_TRUST: memory.lineage_trust <= TrustRank.INFERENCE,
    }
    asked = memory.namespace.second_review
    return next((rule.value for rule, fit in fits.items() if fit and rule in asked), "")


def standing(memory: Memory) -> FirstApproval | None:
    """Return the first approval that still counts, None if there is none.

    One of other words does not, nor one that the policy does not ask for any more; what
    is in dispute stays so.
    """
    return all_standing([memory]).get(memory.pk)


def all_standing(memories: Iterable[Memory]) -> dict[UUID, FirstApproval]:
    """Return the first approvals that still count, by the memories' ids."""
    by_id = {memory.pk: memory for memory in memories}
    rows = FirstApproval.objects.filter(pk__in=by_id)
    return {row.pk: row for row in rows if _counts(row, by_id[row.pk])}


def waiting_for_second(rows: QuerySet[Memory]) -> QuerySet[Memory]:
    """Return those of the memories that one reviewer would let in."""
    return rows.filter(Exists(_firsts(Q(rejected_by=""))), status__in=UNDECIDED)


def disputed() -> QuerySet[FirstApproval, UUID]:
    """Return the ids of the memories about which two reviewers disagree."""
    rows = FirstApproval.objects.exclude(rejected_by="")
    return rows.values_list("memory_id", flat=True)


def left_to_agents(rows: QuerySet[Memory]) -> QuerySet[Memory]:
    """Return the memories without those whose next word is a person's."""
    by_agents = Exists(_firsts(Q(approved_by__startswith=AGENT)))
    return rows.exclude(by_agents).exclude(pk__in=disputed())


def not_first(rows: QuerySet[Memory], who: str) -> QuerySet[Memory]:
    """Return the memories without those that `who` would let in already."""
    return rows.exclude(Exists(_firsts(Q(approved_by=who))))


def begin(memory: Memory, *, by: Actor, reason: str, said: str, now: datetime) -> None:
    """Note that `by` would let the memory in; it waits on."""
    keep(memory, approved_by=by.name, approved_at=now, approved_said=said)
    auditing.record_of(
        memory,
        "review.approve_first",
        by=by,
        reason=reason,
        said=said,
        rule=rule_for(memory),
    )


def keep(
    memory: Memory, *, approved_by: str, approved_at: datetime, approved_said: str = ""
) -> None:
    """Keep somebody's approval as the first one."""
    FirstApproval.objects.filter(memory_id=memory.pk).delete()
    FirstApproval.objects.create(
        memory_id=memory.pk,
        version=memory.version,
        approved_by=approved_by,
        approved_at=approved_at,
        approved_said=approved_said,
    )


def dispute(
    first: FirstApproval,
    memory: Memory,
    *,
    by: Actor,
    reason: str,
    said: str,
    now: datetime,
) -> None:
    """Note that `by` would not let in what the first one would.

    The memory is not recalled until a lead has decided.
    """
    first.rejected_by, first.rejected_at, first.rejected_said = by.name, now, said
    first.save()
    if memory.status == Status.ACTIVE:
        transitions.hold([memory.pk], now=now)
        memory.refresh_from_db()
    auditing.record_of(
        memory,
        "review.dispute",
        by=by,
        reason=reason,
        said=said,
        first_by=first.approved_by,
    )


def take_back(first: FirstApproval, memory: Memory, *, by: Actor) -> None:
    """Forget the first approval; TransitionRefused once a second one disagreed."""
    if first.is_disputed:
        raise TransitionRefused("A lead decides this.", why="lead_decides")
    end(memory)
    auditing.record_of(memory, "review.take_back", by=by, first_by=first.approved_by)


def end(memory: Memory) -> None:
    """Forget the first approval: it is decided, or begins anew."""
    FirstApproval.objects.filter(memory_id=memory.pk).delete()


def require_other(first: FirstApproval, by: Actor, *, settles: bool) -> None:
    """Raise TransitionRefused or BeyondPolicy unless `by` may have the next word.

    `settles` says that it is a lead's, which ends a dispute of two others.
    """
    if first.is_disputed:
        if not settles:
            raise TransitionRefused("A lead decides this.", why="lead_decides")
        if by.name in (first.approved_by, first.rejected_by):
            raise TransitionRefused(
                "Neither of the two who disagree settles it.", why="one_of_two"
            )
    elif by.name == first.approved_by:
        raise TransitionRefused("A second person must agree.", why="agreed_by_you")
    elif is_agent(by.name) and is_agent(first.approved_by):
        raise BeyondPolicy("One of the two who agree must be a person.")


def _counts(first: FirstApproval, memory: Memory) -> bool:
    if memory.status not in UNDECIDED:
        return False
    is_of_these_words = first.version == memory.version
    return first.is_disputed or (is_of_these_words and bool(rule_for(memory)))


def _firsts(condition: Q) -> QuerySet[FirstApproval]:
    return FirstApproval.objects.filter(
        condition, memory_id=OuterRef("pk"), version=OuterRef("version")
    )
