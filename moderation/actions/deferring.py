"""Not now, or not me: what waits is put off for a while, or handed on to a lead."""

from datetime import datetime, timedelta
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from memory_core import auditing, isolation
from memory_core.contracts.callers import Actor
from memory_core.exceptions import TransitionRefused
from memory_core.models import Memory
from moderation.actions import reviews
from moderation.models import ReviewCase, ReviewSnooze


class Span(TextChoices):
    """For how long a memory is put off."""

    HOUR = "hour", _("for an hour")
    DAY = "day", _("until tomorrow")
    WEEK = "week", _("for a week")


LENGTHS = {
    Span.HOUR: timedelta(hours=1),
    Span.DAY: timedelta(days=1),
    Span.WEEK: timedelta(days=7),
}


def escalate(
    *, memory_id: UUID, reason: str, note: str, user: User, by: Actor, now: datetime
) -> ReviewCase:
    """Return the case, in a lead's hands, with the reason and the reviewer's note.

    Raises TransitionRefused while somebody else reviews it, or if it is there already.
    """
    with isolation.transaction_for(by):
        case = reviews.claim(memory_id=memory_id, user=user, by=by, now=now)
        held = Memory.unscoped.select_for_update().filter(pk=memory_id)
        held.first()  # no agent decides on it meanwhile
        if case.state != ReviewCase.State.OPEN or reviews.is_for_leads(case):
            raise TransitionRefused("It does not wait for a reviewer.", why="not_open")
        reviews.add_note(memory_id=memory_id, text=note, by=by)
        case.state, case.reason = ReviewCase.State.ESCALATED, reason
        case.said = reviews.words_of(ReviewCase.Why(reason))
        case.claimed_by, case.claimed_until = None, None
        case.save()
        auditing.record(
            "review.escalate",
            by=by,
            memory_id=memory_id,
            reason=reason,
            said=case.said,
        )
    return case


def snooze(
    *, memory_id: UUID, span: str, user: User, by: Actor, now: datetime
) -> ReviewSnooze:
    """Return for how long this person does not see the memory in the queue.

    Others see it as before; it is free for them.
    """
    with isolation.transaction_for(by):
        case = reviews.release(memory_id=memory_id, user=user, by=by)
        until = now + LENGTHS[Span(span)]
        row, _made = ReviewSnooze.objects.update_or_create(
            case=case, user=user, defaults={"until": until}
        )
        auditing.record("review.snooze", by=by, memory_id=memory_id, span=span)
    return row
