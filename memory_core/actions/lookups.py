"""Read memories by id and in lists, as an agent."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Max, Min
from django.utils import timezone

from memory_core import isolation
from memory_core.actions import access
from memory_core.contracts.callers import Caller
from memory_core.contracts.enums import Status
from memory_core.contracts.recall import NOTHING_NARROWED, Narrowing
from memory_core.contracts.views import History, MemoryView, OwnerSummary, Page
from memory_core.exceptions import NotFound
from memory_core.models import Memory
from memory_core.recall import lookup
from memory_core.saving import gates

OPEN = {"owner__fenced_at": None, "owner__restricted_by": None}
"""Of whom an agent may know that there are memories."""


def get(*, by: Caller, owner_id: str, memory_id: UUID) -> MemoryView:
    """Return one memory in whatever state; raises NotFound, for a stranger's too."""
    scope = access.read_scope(by, owner_id)
    with isolation.transaction_for(by, scope):
        found = lookup.get(scope, memory_id, now=timezone.now())
    if found is None:
        raise NotFound()
    return found


def history(*, by: Caller, owner_id: str, memory_id: UUID) -> History:
    """Return a memory with what came before it; raises NotFound."""
    scope = access.read_scope(by, owner_id)
    with isolation.transaction_for(by, scope):
        found = lookup.history(scope, memory_id, now=timezone.now())
    if found is None:
        raise NotFound()
    return found


def owner_of(*, by: Caller, memory_id: UUID) -> str:
    """Return whose a memory is, for callers who know its id only; raises NotFound.

    Row-level security needs the owner beforehand, so this acts as the console, and
    looks at nothing but whose it is.
    """
    with isolation.console_transaction():
        rows = Memory.unscoped.filter(pk=memory_id, **OPEN)
        rows = rows.filter(namespace_id__in=list(by.readable.values()))
        owner_id = rows.values_list("owner__external_id", flat=True).first()
    if owner_id is None or not by.may_see(owner_id):
        raise NotFound()
    return owner_id


def owners(*, by: Caller) -> list[OwnerSummary]:
    """Return of whom the caller may read memories, by their ids.

    Who is being erased, or restricted, is not among them.
    """
    with isolation.console_transaction():
        rows = (
            Memory.unscoped.active()
            .filter(namespace_id__in=list(by.readable.values()), **OPEN)
            .values_list("owner__external_id")
            .annotate(Count("pk"), Min("created_at"), Max("updated_at"))
            .order_by("owner__external_id")
        )
        seen = [OwnerSummary(*row) for row in rows if by.may_see(row[0])]
        fenced = gates.fenced(one.owner_id for one in seen)
        return [one for one in seen if one.owner_id not in fenced]


def page(
    *,
    by: Caller,
    owner_id: str,
    namespaces: Sequence[str] | None = None,
    narrowing: Narrowing = NOTHING_NARROWED,
    statuses: Sequence[Status] = (),
    session_id: str = "",
    external_id: str = "",
    since: datetime | None = None,
    after: UUID | None = None,
    limit: int = 50,
) -> Page:
    """Return an owner's memories, the newest first; no `statuses` means all of them."""
    scope = access.read_scope(by, owner_id, namespaces=namespaces)
    with isolation.transaction_for(by, scope):
        return lookup.page(
            scope,
            narrowing=narrowing,
            statuses=tuple(statuses) or tuple(Status),
            session_id=session_id,
            external_id=external_id,
            since=since,
            after=after,
            limit=limit,
            now=timezone.now(),
        )
