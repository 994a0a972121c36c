"""A share of people's decisions is made again by somebody who does not know them."""

from datetime import datetime, timedelta
from uuid import UUID

from memory_core import auditing, digests, isolation
from memory_core.contracts.callers import Actor
from memory_core.exceptions import TransitionRefused
from moderation.models import ReviewCase, SecondLook

SHARE = 0.05
A_DAY = 50
"""So many are drawn at most: a bulk decision must not fill the list."""
PLACES = 65_536


def draw(*, memory_id: UUID, verdict: str, by: Actor, now: datetime) -> None:
    """Put a decision among the second looks, if its turn has come.

    Which ones are drawn follows from the installation's key, so that nobody can tell
    beforehand. Runs in the caller's transaction.
    """
    place = digests.keyed("second look", str(memory_id))[:2]
    if int.from_bytes(place) >= SHARE * PLACES:
        return
    today = SecondLook.objects.filter(drawn_at__gt=now - timedelta(days=1))
    if today.count() >= A_DAY:
        return
    values = {"first": verdict, "first_by": by.name, "drawn_at": now}
    SecondLook.objects.get_or_create(memory_id=memory_id, defaults=values)


def drop(*, memory_id: UUID) -> None:
    """Forget a look that nobody has answered: its decision was taken back."""
    SecondLook.objects.filter(memory_id=memory_id, second="").delete()


def answer(*, look: SecondLook, verdict: str, by: Actor, now: datetime) -> SecondLook:
    """Return the look with the second person's verdict.

    Raises TransitionRefused for whoever decided first, and when it is answered.
    """
    with isolation.transaction_for(by):
        row = SecondLook.objects.select_for_update().get(pk=look.pk)
        if row.first_by == by.name:
            raise TransitionRefused("Another person looks again.", why="own_decision")
        if row.second:
            raise TransitionRefused(
                "It is answered.", why="decided", decided_by=row.second_by
            )
        row.second, row.second_by, row.answered_at = verdict, by.name, now
        row.save(update_fields=["second", "second_by", "answered_at"])
        if verdict != row.first:
            cases = ReviewCase.objects.filter(memory_id=row.memory_id)
            cases.update(is_of_leads=True)
        auditing.record(
            "review.second_look",
            by=by,
            memory_id=row.memory_id,
            verdict=verdict,
            agrees=row.first == verdict,
        )
    return row
