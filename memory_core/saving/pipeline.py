"""The one way into the store: gates, decision, change and audit in one transaction."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime

from memory_core import idempotency, isolation, locks
from memory_core.contracts.callers import Caller, Scope
from memory_core.contracts.enums import Status
from memory_core.contracts.idempotency import IdempotencyKey
from memory_core.contracts.memories import Saved
from memory_core.models import Memory, Owner
from memory_core.saving import (
    amending,
    gates,
    merging,
    neighbours,
    repeating,
    revising,
    transitions,
    writers,
)
from memory_core.saving.adding import Place, add
from memory_core.saving.answering import answer, finish, record
from memory_core.saving.comparing import compared
from memory_core.saving.decide import repeated
from memory_core.saving.holding import reasons_to_hold
from memory_core.saving.neighbours import Known
from memory_core.saving.preparing import Prepared, embedded, with_trust
from memory_core.saving.rows import sent_values
from memory_core.stages import stage


@contextmanager
def opened(
    prepared: Prepared, once: IdempotencyKey | None = None
) -> Iterator[tuple[Prepared, Place]]:
    """Run the transaction of one write: its locks, then what may have changed since.

    A request that was answered under `once` before does nothing: Replay is raised.
    Gives the draft judged anew if its source's trust changed, and where it goes.
    Raises SourceBlocked, OwnerBeingErased, OwnerErased, ScreeningRefused and
    IdempotencyConflict.
    """
    owner_id, space = prepared.draft.owner_id, prepared.space.id
    origin, now, scope = prepared.origin, prepared.now, prepared.scope
    agent = prepared.by.agent_id if isinstance(prepared.by, Caller) else 0
    lock = locks.for_write(
        owner_id, owner=scope.owner, namespace=space, once=once, agent=agent
    )
    with isolation.transaction_for(prepared.by, scope, lock):
        idempotency.peek(once, now=now)
        writers.check(prepared.by, now=now)
        source = gates.look_and_hold(space, origin, owner_id, now=now)
        if not source.id:
            source = gates.make_source(space, origin, owner_id, now=now)
        current = with_trust(prepared, source.trust)
        owner = prepared.scope.owner or _make_owner(prepared)
        if owner != prepared.scope.owner:
            current = replace(current, scope=replace(current.scope, owner=owner))
        yield current, Place(owner, source.id)


def store(prepared: Prepared, place: Place) -> Saved:
    """Store a draft in the transaction that is `opened`; say what became of it."""
    namesake = _namesake(prepared)
    if namesake:
        return renew(namesake, prepared, place)
    return _place(prepared, place)


def _make_owner(prepared: Prepared) -> int:
    owner_id, scope = prepared.draft.owner_id, prepared.scope
    row, _ = Owner.objects.get_or_create(external_id=owner_id)
    if isinstance(prepared.by, Caller):
        isolation.narrow(Scope(row.pk, owner_id, scope.namespaces))
    locks.lock_owner(owner=row.pk, namespace=scope.namespaces[0])
    return row.pk


def _namesake(prepared: Prepared) -> Memory | None:
    """The memory that the caller knows under the same external id.

    One that has expired is not it if this statement has another time.
    """
    name = prepared.draft.external_id
    if not name:
        return None
    rows = Memory.objects.within(prepared.scope).filter(external_id=name)
    current = rows.filter(status__in=amending.CHANGEABLE)
    same_words = rows.filter(text_key=prepared.text_key)
    if not _is_over(prepared.draft.expire_at, prepared):
        same_words = same_words.exclude(status=Status.EXPIRED)
    return current.order_by("status").first() or same_words.order_by("-id").first()


def _is_over(deadline: datetime | None, prepared: Prepared) -> bool:
    return deadline is not None and deadline <= prepared.now


def renew(memory: Memory, prepared: Prepared, place: Place) -> Saved:
    """Same external id: the newer words win, under the same rules as an update."""
    values = sent_values(prepared)
    if _is_over(memory.expire_at, prepared):
        values.setdefault("expire_at", None)  # said again, it lives again
    changes = revising.differing(memory, values)
    is_late = prepared.observed_at < memory.observed_at
    if not changes or is_late or memory.status not in amending.CHANGEABLE:
        return answer(memory.merged_into or memory, "unchanged", prepared)
    done = amending.amend(memory, changes, prepared, place, event="updated")
    if done.is_done:
        record(done.memory, done.event, prepared, superseded=done.superseded)
    return answer(done.memory, done.event, prepared, superseded=done.superseded)


def _place(prepared: Prepared, place: Place) -> Saved:
    with stage("lookup"):
        equals = neighbours.same_text(
            owner=place.owner,
            namespace=prepared.space.id,
            text_key=prepared.text_key,
        )
    incoming = replace(prepared.incoming, is_held=bool(reasons_to_hold(prepared)))
    same = repeated(incoming, equals)
    if same and same.status != Status.ARCHIVED:
        return _repeat(same, prepared, place)
    prepared = embedded(prepared)
    decision = compared(
        incoming, prepared, owner=place.owner, but=same.id if same else None
    )
    if same and not decision.is_contrary:
        return _repeat(same, prepared, place)
    if decision.same:
        memory = merging.merge(
            prepared, decision, owner=place.owner, source=place.source
        )
        return finish(memory, "reinforced", prepared)
    over = [
        one.id
        for one in equals
        if one.status == Status.ACTIVE and one.is_over(prepared.now)
    ]
    transitions.expire(over, now=prepared.now)
    return add(prepared, place, decision)[1]


def _repeat(same: Known, prepared: Prepared, place: Place) -> Saved:
    memory, event = repeating.repeat(same, prepared, source=place.source)
    return finish(memory, event, prepared)
