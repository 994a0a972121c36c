"""What people and agents decided on a memory so far, as it was said then."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils.translation import gettext

from memory_core.models import AuditEntry
from moderation.presenters.operation_names import DECISIONS

SHOWN = 20


@dataclass(frozen=True, slots=True)
class Step:
    """Who did what, and why in the words of that time (empty: nothing was said)."""

    at: datetime
    who: str
    what: str
    said: str


def history_of(memory_id: UUID) -> list[Step]:
    """Return the last steps of a memory's review, the newest first.

    Blind second looks are left out.
    """
    rows = AuditEntry.objects.filter(memory_id=memory_id, action__in=DECISIONS)
    return [_step(entry) for entry in rows.order_by("-pk")[:SHOWN]]


def _step(entry: AuditEntry) -> Step:
    what = str(DECISIONS[entry.action])
    return Step(entry.at, entry.actor, what, _said(entry.details))


def _said(details: dict[str, object]) -> str:
    """The words are kept in the language of the code; a code alone is older."""
    if words := str(details.get("said", "")):
        return gettext(words)
    return str(details.get("reason", ""))
