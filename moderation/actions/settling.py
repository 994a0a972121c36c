"""The last word on what two reviewers see differently."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import F

from memory_core import auditing, isolation
from memory_core.actions import agreement
from memory_core.contracts.callers import Actor
from memory_core.exceptions import NotFound, TransitionRefused
from memory_core.models import Memory
from moderation.actions import reviews
from moderation.models import SecondLook


def settle(
    *,
    look: SecondLook,
    verdict: str,
    reason: str,
    user: User,
    by: Actor,
    now: datetime,
) -> SecondLook:
    """Return the look, settled; the memory is decided anew if the first was wrong.

    Raises TransitionRefused for either of the two, unless they differ, and once it is
    settled; and what undoing and deciding raise.
    """
    with isolation.transaction_for(by):
        rows = SecondLook.objects.select_for_update().exclude(second="")
        row = rows.filter(pk=look.pk, settled="").exclude(second=F("first")).first()
        if row is None:
            raise TransitionRefused(
                "It is settled, or not in dispute.", why="not_in_dispute"
            )
        if by.name in (row.first_by, row.second_by):
            raise TransitionRefused(
                "Neither of the two who disagree settles it.", why="one_of_two"
            )
        row.settled, row.settled_by = verdict, by.name
        row.save(update_fields=["settled", "settled_by"])
        if verdict != row.first:
            _decide_anew(row, verdict, reason, user, by, now)
        auditing.record(
            "review.settle",
            by=by,
            memory_id=row.memory_id,
            verdict=verdict,
            reason=reason,
            said=reviews.words_of(reviews.Reason(reason)),
            changed=verdict != row.first,
        )
    return row


def _decide_anew(
    row: SecondLook, verdict: str, reason: str, user: User, by: Actor, now: datetime
) -> None:
    reviews.undo(memory_id=row.memory_id, user=user, by=by, now=now)
    rows = Memory.unscoped.select_related("namespace")
    memory = rows.filter(pk=row.memory_id).first()
    if memory is None:
        raise NotFound()
    is_approved = verdict == SecondLook.Verdict.APPROVED
    if is_approved and agreement.rule_for(memory):  # the lead is the second of two
        when = row.answered_at or now
        agreement.keep(memory, approved_by=row.second_by, approved_at=when)
    act = reviews.approve if is_approved else reviews.reject
    act(
        memory_id=memory.pk,
        version=memory.version,
        digest=bytes(memory.content_digest).hex(),
        reason=reason,
        user=user,
        by=by,
        now=now,
    )
