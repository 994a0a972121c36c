"""The fence: from its commit on, nothing of the person is written any more.

The ledger outside the database is written first. Should the transaction fail after
that, the ledger's lines are made void.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.db import transaction

from memory_core import auditing, ledger, locks
from memory_core.contracts.callers import Actor
from memory_core.contracts.erasure import (
    IdentifierKind,
    RunState,
    Subject,
    Treatment,
)
from memory_core.erasure import discovery, sealing
from memory_core.keys import tombstones
from memory_core.keys.tombstones import Digest
from memory_core.models import ErasureRun, Owner, Token, Tombstone
from memory_core.models.erasure import new_ref

MARKED = (IdentifierKind.OWNER, IdentifierKind.EMAIL, IdentifierKind.PHONE)
"""Many people have one name: it stops no write, and gets no tombstone."""


@dataclass(frozen=True, slots=True)
class Order:
    """What was approved: for which case, on which ground, by which two people."""

    case_ref: str
    ground: str
    prepared_by: str
    approved_by: str
    preview_digest: str = ""
    is_canary: bool = False


def fence(
    subject: Subject,
    order: Order,
    *,
    mentions: Mapping[UUID, Treatment],
    by: Actor,
    now: datetime,
) -> ErasureRun:
    """Return the run, its fence committed.

    Waits for the person's writes that are under way. Raises IntegrityError when one
    person both prepared and approved, RuntimeError inside another transaction: that
    one could still fail after the ledger was written.
    """
    noted: list[Digest] = []
    try:
        with transaction.atomic(durable=True):
            return _fence(subject, order, mentions, noted, by=by, now=now)
    except BaseException:
        if noted:
            ledger.append(ledger.Event.VOID, noted, request=order.case_ref, now=now)
        raise


def digests_of(subject: Subject) -> list[Digest]:
    """Return the digests under which the person's tombstones stand."""
    return [
        tombstones.current(one.kind, one.value)
        for one in subject.names
        if one.kind in MARKED
    ]


def _fence(
    subject: Subject,
    order: Order,
    mentions: Mapping[UUID, Treatment],
    noted: list[Digest],
    *,
    by: Actor,
    now: datetime,
) -> ErasureRun:
    for owner_id in sorted(subject.owner_ids):
        locks.close_fence(owner_id)
    found = discovery.located(replace(subject, mentions=mentions))
    run = _row(found, order, now=now)
    Owner.objects.filter(pk__in=found.rows).update(fenced_at=now)
    fresh = _without_tombstone(found)
    if fresh:
        ledger.append(ledger.Event.ERASE, fresh, request=order.case_ref, now=now)
        noted += fresh
    _put_tombstones(fresh, order, now=now)
    claimed = Token.objects.filter(owner_claim__in=found.owner_ids, revoked_at=None)
    revoked = claimed.update(revoked_at=now)
    for owner_id in found.owner_ids:
        auditing.record(
            "erasure.fence",
            by=by,
            owner_id=owner_id,
            run=run.ref,
            case=order.case_ref,
            ground=order.ground,
            tokens_revoked=revoked,
        )
    return run


def _row(subject: Subject, order: Order, *, now: datetime) -> ErasureRun:
    ref = new_ref()
    return ErasureRun.objects.create(
        ref=ref,
        case_ref=order.case_ref,
        ground=order.ground,
        prepared_by=order.prepared_by,
        approved_by=order.approved_by,
        preview_digest=order.preview_digest,
        is_canary=order.is_canary,
        state=RunState.FENCED,
        subject=sealing.seal(ref, subject),
        owners=list(subject.rows),
        mentions={str(k): v for k, v in (subject.mentions or {}).items()},
        fenced_at=now,
    )


def _without_tombstone(subject: Subject) -> list[Digest]:
    """Return the digests of identifiers under none of whose keys a tombstone stands."""
    fresh = []
    for one in subject.names:
        if one.kind not in MARKED:
            continue
        every = tombstones.digests_of(one.kind, one.value)
        rows = Tombstone.objects.filter(
            kind=one.kind, digest__in=[d.digest for d in every], lifted_at=None
        )
        if not rows.exists():
            fresh.append(every[0])
    return fresh


def _put_tombstones(fresh: list[Digest], order: Order, *, now: datetime) -> None:
    Tombstone.objects.bulk_create(
        [
            Tombstone(
                kind=one.kind,
                digest=one.digest,
                key_id=one.kid,
                case_ref=order.case_ref,
                fenced_at=now,
            )
            for one in fresh
        ],
        ignore_conflicts=True,
    )
