"""Entries for many calls at once, written after the calls were answered."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction

from memory_core.models import AuditEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call as the audit log tells it; `details` holds codes, ids and counts."""

    at: datetime
    action: str
    actor: str
    actor_token: str
    request_id: str
    namespace: str
    owner_digest: bytes
    details: Mapping[str, Any] = field(default_factory=dict)


def record_calls(calls: Iterable[Call]) -> int:
    """Write one entry a call and return how many; raises outside a transaction."""
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("an audit entry belongs to its change's transaction")
    entries = [
        AuditEntry(
            at=call.at,
            action=call.action,
            actor=call.actor,
            actor_token=call.actor_token,
            request_id=call.request_id,
            namespace=call.namespace,
            owner_digest=call.owner_digest,
            details=dict(call.details),
        )
        for call in calls
    ]
    return len(AuditEntry.objects.bulk_create(entries, batch_size=1_000))
