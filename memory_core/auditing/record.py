"""Write one entry in the transaction of the change that it tells of."""

from typing import Any
from uuid import UUID

from django.db import IntegrityError, ProgrammingError, transaction
from django.utils import timezone
from psycopg.types.json import Jsonb

from memory_core import digests
from memory_core.contracts.callers import Actor
from memory_core.exceptions import ServiceUnavailable
from memory_core.models import AuditEntry, Memory
from memory_core.prepared import fetch

PLAIN = (
    "at",
    "actor",
    "actor_token",
    "request_id",
    "action",
    "outcome",
    "namespace",
    "memory_id",
    "owner_digest",
    "content_digest",
)
INSERT = f"""
INSERT INTO {AuditEntry._meta.db_table} ({", ".join(PLAIN)}, details)
VALUES ({", ".join(["%s"] * len(PLAIN))}, %s) RETURNING id
"""


def record(
    action: str,
    *,
    by: Actor,
    outcome: str = "done",
    namespace: str = "",
    memory_id: UUID | None = None,
    owner_id: str = "",
    content: str = "",
    **details: Any,
) -> AuditEntry:
    """Return the new entry.

    `owner_id` and `content` are digested here and never stored; `details` must hold
    codes, ids and counts only. Raises when called outside a transaction: the change
    and its entry stand or fall together. ServiceUnavailable if it cannot be written.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("an audit entry belongs to its change's transaction")
    entry = AuditEntry(
        at=timezone.now(),
        actor=by.name,
        actor_token=by.token_prefix,
        request_id=by.request_id,
        action=action,
        outcome=outcome,
        namespace=namespace,
        memory_id=memory_id,
        owner_digest=digests.of_owner(owner_id) if owner_id else b"",
        content_digest=digests.of_content(content) if content else b"",
        details=details,
    )
    values = [getattr(entry, name) for name in PLAIN]
    try:
        entry.pk = fetch(INSERT, [*values, Jsonb(details)])[0][0]
    except (IntegrityError, ProgrammingError) as error:
        raise ServiceUnavailable("The audit log cannot be written.") from error
    return entry


def record_of(memory: Memory, action: str, *, by: Actor, **details: Any) -> AuditEntry:
    """Return the new entry about a memory as it stands; see `record`."""
    return record(
        action,
        by=by,
        namespace=memory.namespace.name,
        memory_id=memory.pk,
        owner_id=memory.owner.external_id,
        content=memory.content,
        version=memory.version,
        **details,
    )
