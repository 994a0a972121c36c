"""Restriction of an owner's data: it is stored, and nothing else happens to it.

While one stands, agents find nothing of the owner and write nothing for them, and no
rule of time archives, merges or deletes anything. Each is of one request.
"""

from collections.abc import Iterable

from memory_core import auditing, isolation, locks
from memory_core.contracts.callers import Actor
from memory_core.models import Owner


def place(*, owner_ids: Iterable[str], case_ref: str, by: Actor) -> int:
    """Restrict what is kept of these owners for a request; return how many are known.

    Waits for the writes that are under way; none comes after it.
    """
    with isolation.transaction_for(by):
        count = 0
        for owner_id in sorted(owner_ids):
            locks.close_fence(owner_id)
            rows = Owner.objects.select_for_update().filter(external_id=owner_id)
            for owner in rows:
                others = set(owner.restricted_by or ())
                owner.restricted_by = sorted(others | {case_ref})
                owner.save(update_fields=["restricted_by"])
                _record("restriction.place", owner, case_ref, by)
                count += 1
    return count


def lift(*, case_ref: str, by: Actor) -> int:
    """End what a request restricts; return how many owners it was.

    Owners that another request restricts stay so.
    """
    with isolation.transaction_for(by):
        rows = Owner.objects.filter(
            restricted_by__isnull=False, restricted_by__contains=[case_ref]
        )
        owners = list(rows.select_for_update().order_by("pk"))
        for owner in owners:
            others = set(owner.restricted_by or ()) - {case_ref}
            owner.restricted_by = sorted(others) or None
            owner.save(update_fields=["restricted_by"])
            _record("restriction.lift", owner, case_ref, by)
    return len(owners)


def _record(action: str, owner: Owner, case_ref: str, by: Actor) -> None:
    auditing.record(action, by=by, owner_id=owner.external_id, case=case_ref)
