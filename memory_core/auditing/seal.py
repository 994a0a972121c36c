"""Seal what was written since: one background task, so that writers never wait.

Ids commit out of order, so the chain follows the order of sealing, not of ids: an
entry that commits late is simply sealed later.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db import connection, transaction

from memory_core.auditing import anchor
from memory_core.auditing.canonical import GENESIS, fields, link
from memory_core.models import AuditEntry, AuditSeal

BATCH = 2_000
LATE_COMMITS = 100_000  # how many ids back an uncommitted entry may still turn up
LOCK = 7_230_001

UNSEALED = """
SELECT e.* FROM memory_core_auditentry e
WHERE e.id > (SELECT coalesce(max(entry_id), 0) - %s FROM memory_core_auditseal)
  AND NOT EXISTS (SELECT 1 FROM memory_core_auditseal s WHERE s.entry_id = e.id)
ORDER BY e.id LIMIT %s
"""


def seal(*, now: datetime) -> int:
    """Seal all entries that are visible; return how many. One process at a time."""
    sealed = 0
    while batch := _seal_batch(now):
        sealed += batch
        if batch < BATCH:
            break
    _carry_outside(now)
    return sealed


def _seal_batch(now: datetime) -> int:
    with transaction.atomic():
        if not _locked():
            return 0
        entries = list(AuditEntry.objects.raw(UNSEALED, [LATE_COMMITS, BATCH]))
        head = AuditSeal.objects.order_by("-position").first()
        position, chain = (head.position, bytes(head.chain)) if head else (0, GENESIS)
        AuditSeal.objects.bulk_create(_links(entries, position, chain, now))
    return len(entries)


def _links(
    entries: Sequence[AuditEntry], position: int, chain: bytes, now: datetime
) -> list[AuditSeal]:
    seals = []
    for entry in entries:
        position += 1
        chain = link(chain, position, entry)
        seals.append(
            AuditSeal(position=position, entry_id=entry.pk, chain=chain, sealed_at=now)
        )
    return seals


def _carry_outside(now: datetime) -> None:
    """Copy what was sealed since the last copy, then sign the head."""
    with transaction.atomic():
        if not _locked():
            return
        copied = anchor.last_copied()
        while seals := list(
            AuditSeal.objects.filter(position__gt=copied).order_by("position")[:BATCH]
        ):
            entries = AuditEntry.objects.in_bulk([seal.entry_id for seal in seals])
            anchor.copy(
                {
                    "position": seal.position,
                    "chain": bytes(seal.chain).hex(),
                    **fields(entries[seal.entry_id]),
                }
                for seal in seals
                if seal.entry_id in entries
            )
            copied = seals[-1].position
            anchor.put(copied, bytes(seals[-1].chain), now=now)


def _locked() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [LOCK])
        locked: bool = cursor.fetchone()[0]
    return locked
