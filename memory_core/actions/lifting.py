"""A person comes back: two people lift the tombstones that keep them out."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from memory_core import auditing, ledger
from memory_core.actions.erasure import OTHER_APPROVES
from memory_core.actions.holds import NO_CODE, REASON
from memory_core.contracts.callers import Actor
from memory_core.contracts.erasure import Identifier, IdentifierKind
from memory_core.exceptions import InvalidInput, NotFound, TransitionRefused
from memory_core.keys import data, tombstones
from memory_core.keys.tombstones import Digest
from memory_core.models import Tombstone


def lift_tombstones(
    *,
    identifiers: Sequence[Identifier],
    reason: str,
    prepared_by: str,
    approved_by: str,
    by: Actor,
) -> int:
    """Let these identifiers be written for again; return how many stood.

    `reason` is a code. Needs a transaction of its own, as an erasure does. Raises
    InvalidInput when one person did both, NotFound when none stands, TransitionRefused
    while the person is still being erased.
    """
    if prepared_by == approved_by or not prepared_by or not approved_by:
        raise InvalidInput(OTHER_APPROVES, field="approved_by")
    if not REASON.fullmatch(reason):
        raise InvalidInput(NO_CODE, field="reason")
    now = timezone.now()
    noted: list[Digest] = []
    try:
        with transaction.atomic(durable=True):
            lifted = _lift(identifiers, noted, now=now)
            auditing.record(
                "tombstone.lift",
                by=by,
                owner_id=_owner_id(identifiers),
                reason=reason,
                lifted=lifted,
                prepared_by=prepared_by,
                approved_by=approved_by,
            )
    except BaseException:
        if noted:
            ledger.append(ledger.Event.ERASE, noted, request="", now=now)
        raise
    for one in identifiers:
        if one.kind == IdentifierKind.OWNER:
            data.renew(data.of_owner(one.value))
    return lifted


def _lift(
    identifiers: Sequence[Identifier], noted: list[Digest], *, now: datetime
) -> int:
    digests = {
        digest.digest: digest
        for one in identifiers
        for digest in tombstones.digests_of(one.kind, one.value)
    }
    rows = Tombstone.objects.select_for_update().filter(
        digest__in=digests, lifted_at=None
    )
    standing = list(rows)
    if not standing:
        raise NotFound("No tombstone stands for these identifiers.")
    if any(row.erased_at is None for row in standing):
        raise TransitionRefused("The person is still being erased; try again later.")
    found = [digests[bytes(row.digest)] for row in standing]
    case = standing[0].case_ref
    ledger.append(ledger.Event.LIFT, found, request=case, now=now)
    noted += found
    Tombstone.objects.filter(pk__in=[row.pk for row in standing]).update(lifted_at=now)
    return len(standing)


def _owner_id(identifiers: Sequence[Identifier]) -> str:
    owners = [one.value for one in identifiers if one.kind == IdentifierKind.OWNER]
    return owners[0] if owners else ""
