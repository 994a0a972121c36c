"""The one way into the store: gates, decision, change and audit in one transaction."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from uuid import UUID

from memory_core import idempotency, isolation, locks
from memory_core.contracts.callers import Caller, Scope
from memory_core.contracts.enums import SourceKind, Status
from memory_core.contracts.idempotency import IdempotencyKey
from memory_core.contracts.memories import Saved
from memory_core.contracts.relation import Statement
from memory_core.models import Memory, Owner
from memory_core.saving import (
    gates,
    kinship,
    merging,
    neighbours,
    repeating,
    revising,
    storage,
    transitions,
    writers,
)
from memory_core.saving.answering import answer, finish, record
from memory_core.saving.decide import (
    AGAINST_MORE_TRUSTED,
    Decision,
    Incoming,
    decide,
    repeated,
)
from memory_core.saving.holding import reasons_to_hold
from memory_core.saving.judging import judge
from memory_core.saving.neighbours import Known
from memory_core.saving.preparing import Prepared, embedded, with_trust
from memory_core.saving.rows import new_row, placed, sent_values, values_of
from memory_core.scoring import base_at_birth
from memory_core.stages import stage

CHANGEABLE = (Status.ACTIVE, Status.PENDING, Status.ARCHIVED)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a memory goes: the owner's and the source's row ids."""

    owner: int
    source: int


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
    """The memory that the caller knows under the same external id."""
    name = prepared.draft.external_id
    if not name:
        return None
    rows = Memory.objects.within(prepared.scope).filter(external_id=name)
    current = rows.filter(status__in=[Status.ACTIVE, Status.PENDING, Status.ARCHIVED])
    return (
        current.order_by("status").first()
        or rows.filter(text_key=prepared.text_key).order_by("-id").first()
    )


def renew(memory: Memory, prepared: Prepared, place: Place) -> Saved:
    """Same external id: the newer words win, under the same rules as an update."""
    changes = revising.differing(memory, sent_values(prepared))
    is_late = prepared.observed_at < memory.observed_at
    if not changes or is_late or memory.status not in CHANGEABLE:
        return answer(memory.merged_into or memory, "unchanged", prepared)
    if reasons := reasons_against(memory, prepared):
        return propose(memory, prepared, place, reasons)[1]
    revising.revise(
        memory,
        changes,
        source=place.source,
        rank=prepared.rank,
        verdict=prepared.verdict,
        placed=placed(prepared),
        event="updated",
        by=prepared.by,
        now=prepared.now,
    )
    return finish(memory, "updated", prepared)


def reasons_against(memory: Memory, prepared: Prepared) -> tuple[str, ...]:
    """Return why a write may not change a memory but has to wait for a person.

    What waits already may be changed by who is trusted as much, and waits on.
    """
    reasons = reasons_to_hold(prepared)
    if objection := revising.objection(memory, prepared.rank):
        return (objection, *reasons)
    return () if memory.status == Status.PENDING else reasons


def propose(
    memory: Memory, prepared: Prepared, place: Place, reasons: tuple[str, ...]
) -> tuple[Memory, Saved]:
    """Let a change wait for a person as a memory of its own, however often it is sent.

    Returns the proposal and the answer.
    """
    waiting = Memory.objects.within(prepared.scope).pending()
    for known in waiting.filter(
        text_key=prepared.text_key,
        source=place.source,
        decision__contradicts=[str(memory.pk)],
    ):
        if not revising.differing(known, values_of(prepared)):
            return known, answer(known, "unchanged", prepared)
    decision = Decision(contradicts=(memory.pk,), reasons=reasons)
    return add(prepared, place, decision)


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
    decision = _decide(incoming, prepared, place, but=same.id if same else None)
    if same and not decision.is_contrary:
        return _repeat(same, prepared, place)
    if decision.same:
        memory = merging.merge(
            prepared, decision, owner=place.owner, source=place.source
        )
        return finish(memory, "reinforced", prepared)
    return add(prepared, place, decision)[1]


def _repeat(same: Known, prepared: Prepared, place: Place) -> Saved:
    memory, event = repeating.repeat(same, prepared, source=place.source)
    return finish(memory, event, prepared)


def _decide(
    incoming: Incoming, prepared: Prepared, place: Place, *, but: UUID | None
) -> Decision:
    """Compare with what is near and current, `but` one memory that says it itself."""
    if prepared.vector is None or not incoming.may_merge:
        return Decision()
    with stage("lookup"):
        known = neighbours.nearest(
            prepared.vector,
            owner=place.owner,
            namespace=prepared.space.id,
            model_id=prepared.model.id,
            observed_at=prepared.observed_at,
            but=but,
        )
    statement = Statement(
        prepared.draft.content,
        incoming.subject,
        prepared.observed_at,
        prepared.vector,
    )
    with stage("relation"):
        judged = judge(incoming, statement, known, model=prepared.model.name)
        decision = decide(incoming, judged)
    if prepared.origin.kind == SourceKind.USER_INPUT:
        decision = replace(decision, kin=kinship.very_similar(prepared, known))
    return decision


def add(prepared: Prepared, place: Place, decision: Decision) -> tuple[Memory, Saved]:
    """Return the new memory and the answer; with reasons it waits for a person."""
    held = (*decision.reasons, *reasons_to_hold(prepared))
    reasons = tuple(dict.fromkeys(held))
    memory = new_row(
        prepared,
        owner=place.owner,
        source=place.source,
        decision=decision,
        reasons=reasons,
    )
    strength = strength_of(prepared)
    superseded = () if reasons else tuple(one.id for one in decision.supersedes)
    with stage("storing"):
        storage.insert(memory, strength=strength, placed=placed(prepared))
        record(memory, "added", prepared, superseded=superseded, reasons=reasons)
        if not reasons:
            _make_room(memory, decision, prepared)
    saved = answer(
        memory,
        "added",
        prepared,
        superseded=superseded,
        reasons=reasons,
        strength=strength,
    )
    return memory, saved


def strength_of(prepared: Prepared) -> storage.Strength:
    """Base at birth, or what the file says of an imported memory."""
    draft = prepared.draft
    base = base_at_birth(prepared.origin.kind, draft.importance)
    if draft.imported is None:
        return storage.Strength(base)
    kept = draft.imported.base_score
    return storage.Strength(
        base if kept is None else kept,
        draft.imported.last_accessed_at,
        draft.imported.access_count,
    )


def _make_room(memory: Memory, decision: Decision, prepared: Prepared) -> None:
    """Retire what the memory replaces, and let wait what may not contradict it."""
    older = [known.id for known in decision.supersedes]
    transitions.supersede(
        older, by=memory.pk, until=memory.observed_at, now=prepared.now
    )
    if prepared.origin.kind == SourceKind.USER_INPUT:
        kin = {*decision.kin, *memory.related} - set(older)
        if kin:
            kinship.keep_alive(sorted(kin), owner=memory.owner_id, now=prepared.now)
    if decision.demotes:
        _demote(decision.demotes, memory, prepared)


def _demote(demoted: tuple[UUID, ...], memory: Memory, prepared: Prepared) -> None:
    """Let newer, less trusted contradictions wait for a person after all."""
    transitions.hold(demoted, now=prepared.now)
    grounds = {"reasons": [AGAINST_MORE_TRUSTED], "contradicts": [str(memory.pk)]}
    for row in Memory.objects.within(prepared.scope).filter(pk__in=demoted):
        row.decision = row.decision | grounds
        row.save(update_fields=["decision"])
