"""What every verb on memories checks and records."""

from typing import Any
from uuid import UUID

from django.utils import timezone

from memory_core import auditing, isolation
from memory_core.contracts.callers import Actor, Caller, Scope
from memory_core.contracts.memories import Draft
from memory_core.exceptions import (
    MnemeError,
    NamespaceNotWritable,
    NotFound,
    OwnerBeingErased,
    OwnerErased,
    OwnerRestricted,
    ScreeningRefused,
    SourceBlocked,
)
from memory_core.models import Memory, Namespace
from memory_core.saving import gates, writers
from memory_core.saving.provenance import origin_of

REFUSALS = (
    SourceBlocked,
    OwnerBeingErased,
    OwnerErased,
    OwnerRestricted,
    ScreeningRefused,
)


def scope_around(memory_id: UUID) -> Scope:
    """Return the scope in which a person acts on one memory; raises NotFound."""
    memory = Memory.unscoped.select_related("owner").filter(pk=memory_id).first()
    if memory is None:
        raise NotFound()
    owner = memory.owner
    return Scope(owner.pk, owner.external_id, (memory.namespace_id,))


def require_writable(memory: Memory, by: Actor) -> None:
    """Raise NamespaceNotWritable for a memory that the caller may only read."""
    if isinstance(by, Caller) and memory.namespace_id not in by.writable.values():
        raise NamespaceNotWritable()


def record_refusal(error: MnemeError, draft: Draft, by: Actor, *, action: str) -> None:
    """Put a refused save on the record, in a transaction of its own."""
    namespace = draft.namespace or (by.home if isinstance(by, Caller) else "")
    with isolation.transaction_for(by):
        blocked: dict[str, Any] = {}
        if isinstance(error, SourceBlocked):
            row = Namespace.objects.get(name=namespace)
            blocked["sources"] = gates.count_refusal(row.pk, origin_of(draft, by))
            blocked["writer_blocks"] = writers.count_refusal(by, now=timezone.now())
        auditing.record(
            action,
            by=by,
            outcome="refused",
            namespace=namespace,
            owner_id=draft.owner_id,
            content=draft.content,
            code=error.code,
            rules=list(error.extra.get("rules", ())),
            **blocked,
        )
