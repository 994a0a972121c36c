"""Who received a person's data, and what they said when they were told (Art. 19)."""

from datetime import date, datetime

from django.db.models import Count

from memory_core import digests
from memory_core.actions import erasure
from memory_core.contracts.callers import SYSTEM, Actor
from memory_core.exceptions import InvalidInput, NotFound
from memory_core.models import AuditEntry
from moderation.actions.casework import log, step
from moderation.cases import file_of, today
from moderation.models import CaseRecipient, CaseState, ErasureCase

Kind, Result = CaseRecipient.Kind, CaseRecipient.Result
EXPORTS = ("memory.export", "snapshot.order")


def note(case: ErasureCase) -> int:
    """Put the agents that were served and the exports that were made on the list.

    Returns how many there are. For use inside a step, before anything is erased.
    """
    file = file_of(case)
    served = erasure.recipients(subject=file.subject(), by=SYSTEM)
    agents = [(Kind.AGENT, one.agent, one.served) for one in served]
    found = [*agents, *_exported(file.owner_ids)]
    for kind, name, times in found:
        CaseRecipient.objects.update_or_create(
            case=case, kind=kind, name=name, defaults={"times": times}
        )
    return len(found)


def add(*, ref: str, name: str, by: Actor, now: datetime) -> CaseRecipient:
    """Return a recipient that people know of; raises InvalidInput without a name."""
    if not name.strip():
        raise InvalidInput("Name the recipient.", field="name", why="recipient_name")
    with step(ref, by=by, within=tuple(CaseState)) as case:
        made, _ = CaseRecipient.objects.get_or_create(
            case=case, kind=Kind.OTHER, name=name.strip()
        )
        log(case, "recipient_added", by=by, now=now)
    return made


def tell(
    *,
    ref: str,
    recipient: int,
    result: str,
    told_on: date,
    by: Actor,
    now: datetime,
) -> CaseRecipient:
    """Return the recipient with what came of telling it.

    Raises NotFound, InvalidInput for a day in the future or no result.
    """
    if result not in Result.values or told_on > today(now):
        raise InvalidInput(
            "Say what came of it, and on which day up to today.",
            why="recipient_result",
        )
    with step(ref, by=by, within=tuple(CaseState)) as case:
        row = case.recipients.filter(pk=recipient).first()
        if row is None:
            raise NotFound()
        row.result, row.told_on = result, told_on
        row.save(update_fields=["result", "told_on"])
        log(case, "recipient_told", by=by, now=now, result=result)
    return row


def _exported(owner_ids: tuple[str, ...]) -> list[tuple[str, str, int]]:
    rows = AuditEntry.objects.filter(
        action__in=EXPORTS,
        outcome="done",
        owner_digest__in=[digests.of_owner(one) for one in owner_ids],
    )
    counts = rows.values_list("actor").annotate(times=Count("pk")).order_by()
    return [(Kind.EXPORT, actor, times) for actor, times in counts]
