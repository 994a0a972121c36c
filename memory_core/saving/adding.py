"""A new memory with what its arrival does to those it replaces."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory_core.contracts.enums import SourceKind
from memory_core.contracts.memories import Saved
from memory_core.models import Memory
from memory_core.saving import kinship, storage, transitions
from memory_core.saving.answering import answer, record
from memory_core.saving.decide import AGAINST_MORE_TRUSTED, Decision
from memory_core.saving.holding import reasons_to_hold
from memory_core.saving.preparing import Prepared
from memory_core.saving.rows import new_row, placed
from memory_core.scoring import base_at_birth
from memory_core.stages import stage


@dataclass(frozen=True, slots=True)
class Place:
    """Where a memory goes: the owner's and the source's row ids."""

    owner: int
    source: int


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
            make_room(memory, decision, prepared, until=memory.observed_at)
            _keep_kin_alive(memory, decision, prepared)
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


def make_room(
    memory: Memory, decision: Decision, prepared: Prepared, *, until: datetime
) -> None:
    """Retire what the memory replaces, and let wait what may not contradict it."""
    older = [known.id for known in decision.supersedes]
    transitions.supersede(older, by=memory.pk, until=until, now=prepared.now)
    if decision.demotes:
        _demote(decision.demotes, memory, prepared)


def _keep_kin_alive(memory: Memory, decision: Decision, prepared: Prepared) -> None:
    if prepared.origin.kind != SourceKind.USER_INPUT:
        return
    kin = {*decision.kin, *memory.related} - {one.id for one in decision.supersedes}
    if kin:
        kinship.keep_alive(sorted(kin), owner=memory.owner_id, now=prepared.now)


def _demote(demoted: tuple[UUID, ...], memory: Memory, prepared: Prepared) -> None:
    """Let newer, less trusted contradictions wait for a person after all."""
    transitions.hold(demoted, now=prepared.now)
    grounds = {"reasons": [AGAINST_MORE_TRUSTED], "contradicts": [str(memory.pk)]}
    for row in Memory.objects.within(prepared.scope).filter(pk__in=demoted):
        row.decision = row.decision | grounds
        row.save(update_fields=["decision"])
