"""Real deletion: the rows are gone, an entry with digests stays."""

import re
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from memory_core import auditing, locks
from memory_core.contracts.callers import Actor, Scope
from memory_core.contracts.enums import Status
from memory_core.models import Memory, RawTurns
from memory_core.saving import gates, lookups, storage, transitions, windows

CODE = re.compile(r"[a-z0-9_.:-]{1,40}")


def forget(
    memory_ids: Sequence[UUID],
    *,
    scope: Scope,
    by: Actor,
    reason: str = "",
    now: datetime,
) -> list[UUID]:
    """Delete the scope's memories of these ids; return which there were.

    What was merged into one of them goes with it. A union that a consolidation made of
    one of them says its words and goes too; its other parts are current again. Runs in
    the caller's transaction.
    Raises LegalHoldInForce, and then deletes none.
    """
    for namespace in sorted(scope.namespaces):
        locks.lock_for_write(scope.owner_id, owner=scope.owner, namespace=namespace)
    found = list(Memory.objects.within(scope).filter(pk__in=memory_ids).order_by("pk"))
    if not found:
        return []
    unions = _unions_of(found, scope)
    found += unions
    for namespace in {memory.namespace_id for memory in found}:
        inside = [one.pk for one in found if one.namespace_id == namespace]
        gates.check_holds(
            owner=scope.owner,
            namespace=namespace,
            memory_ids=list(storage.family(inside)),
            now=now,
        )
    _give_back_parts(unions, found, scope, now=now)
    for memory in found:
        _record(memory, scope, by=by, reason=reason)
    gone = [memory.pk for memory in found]
    windows.clear(found, owner=scope.owner, owner_id=scope.owner_id, now=now)
    storage.remove(gone)
    # The conversation from which it came would say it again.
    RawTurns.objects.filter(owner=scope.owner, made__overlap=gone).delete()
    return gone


def with_unions(memory_ids: Sequence[UUID], scope: Scope) -> list[UUID]:
    """Return the ids and those of what was made of these memories: it would go too."""
    found = list(Memory.objects.within(scope).filter(pk__in=memory_ids))
    made = _unions_of(found, scope)
    return sorted({memory.pk for memory in (*found, *made)})


def _unions_of(found: Sequence[Memory], scope: Scope) -> list[Memory]:
    """Return the memories that were made of these, and of those in turn."""
    known = {memory.pk for memory in found}
    unions: list[Memory] = []
    front = known
    while front:
        rows = Memory.objects.within(scope).filter(derived_from__overlap=list(front))
        made = list(rows.exclude(pk__in=known).order_by("pk"))
        unions += made
        front = {memory.pk for memory in made}
        known = known | front
    return unions


def _give_back_parts(
    unions: Sequence[Memory], going: Sequence[Memory], scope: Scope, *, now: datetime
) -> None:
    """Make the parts of the unions current, but for those that go themselves."""
    ids = {memory.pk for memory in going}
    parts = {part for memory in unions for part in memory.derived_from} - ids
    staying = Memory.objects.within(scope).filter(
        pk__in=parts, merged_into__in=[memory.pk for memory in unions]
    )
    transitions.activate(list(staying.values_list("pk", flat=True)), now=now)


def _record(memory: Memory, scope: Scope, *, by: Actor, reason: str) -> None:
    """A reason in free words could say what was deleted: only codes are kept."""
    auditing.record(
        "memory.delete",
        by=by,
        namespace=lookups.namespace(memory.namespace_id).name,
        memory_id=memory.pk,
        owner_id=scope.owner_id,
        content=memory.content,
        status=Status(memory.status).word,
        version=memory.version,
        reason=reason if CODE.fullmatch(reason) else "",
    )
