"""Bring the audit log back up to its copy outside, after an older database returned.

Entries are never made anew: what was sealed and copied is put back word by word, and
`verify` holds it against the signed anchors as ever.
"""

import json
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from typing import Any
from uuid import UUID

from django.db import transaction

from memory_core.auditing import anchor
from memory_core.models import AuditEntry, AuditSeal

BATCH = 2_000
SPARE = 10_000
"""Ids left free for entries that were written and not yet copied outside."""


def next_id() -> int:
    """Return from which id on new entries cannot meet one that is put back."""
    return int(anchor.last_copy().get("id", 0)) + SPARE


def refill(*, now: datetime) -> int:
    """Put back the sealed entries that only the copy has; return how many seals.

    The restored database must give its own new entries ids from `next_id` on.
    """
    head = AuditSeal.objects.order_by("-position").first()
    rows = anchor.copied_after(head.position if head else 0)
    count = 0
    with transaction.atomic():
        while batch := list(islice(rows, BATCH)):
            _put(batch, now)
            count += len(batch)
    return count


def _put(rows: list[dict[str, Any]], now: datetime) -> None:
    entries = [_entry(dict(row)) for row in rows]
    AuditEntry.objects.bulk_create(entries, ignore_conflicts=True)
    AuditSeal.objects.bulk_create(list(_seals(rows, now)))


def _entry(row: dict[str, Any]) -> AuditEntry:
    del row["position"], row["chain"]
    return AuditEntry(
        **{
            **row,
            "at": datetime.fromisoformat(row["at"]),
            "memory_id": UUID(row["memory_id"]) if row["memory_id"] else None,
            "owner_digest": bytes.fromhex(row["owner_digest"]),
            "content_digest": bytes.fromhex(row["content_digest"]),
            "details": json.loads(row["details"]),
        }
    )


def _seals(rows: list[dict[str, Any]], now: datetime) -> Iterator[AuditSeal]:
    for row in rows:
        yield AuditSeal(
            position=row["position"],
            entry_id=row["id"],
            chain=bytes.fromhex(row["chain"]),
            sealed_at=now,
        )
