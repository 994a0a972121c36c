"""A stored memory gets other words or another kind: judged as if it were said anew.

What the change contradicts gives way, or the change waits for a person; and what
already says the same becomes one memory with it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from memory_core.contracts.enums import Status, WriteStrategy
from memory_core.models import Memory
from memory_core.saving import merging, neighbours, revising, transitions
from memory_core.saving.adding import Place, add, make_room
from memory_core.saving.comparing import compared
from memory_core.saving.decide import UNDECIDED, Decision, Incoming, repeated
from memory_core.saving.holding import reasons_to_hold
from memory_core.saving.neighbours import Known
from memory_core.saving.preparing import Prepared, embedded
from memory_core.saving.rows import placed, values_of

CHANGEABLE = (Status.ACTIVE, Status.PENDING, Status.ARCHIVED)
ROLLED_BACK = "rolled_back"
JUDGED = frozenset({"content", "category_id", "subject"})
"""Columns that decide what a memory contradicts or repeats."""


@dataclass(frozen=True, slots=True)
class Amended:
    """The memory that answers from now on, and what became of the change.

    The event is `updated`; `reinforced` when a more trusted memory says so already
    and the changed one now stands behind it; `added` for a proposal that waits for a
    person, and `unchanged` for one that waits, or was rejected, already.
    """

    memory: Memory
    event: str
    superseded: tuple[UUID, ...] = ()

    @property
    def is_done(self) -> bool:
        """Whether the change was made, and not only proposed."""
        return self.event in ("updated", "reinforced")


def amend(
    memory: Memory,
    values: Mapping[str, Any],
    prepared: Prepared,
    place: Place,
    *,
    event: str,
) -> Amended:
    """Set `values` (columns by name) of a locked memory, or propose to."""
    if reasons := _reasons_against(memory, prepared):
        return _propose(memory, prepared, place, Decision(reasons=reasons))
    if not _is_judged(memory, values, prepared):
        _revise(memory, values, prepared, place, event)
        return Amended(memory, "updated")
    prepared = embedded(prepared)
    moment = _moment(memory, values, prepared, event)
    incoming = _incoming(memory, values, prepared, moment)
    same = None
    if "content" in values:
        same = _same_words(memory, incoming, prepared, place)
    if same and same.status in UNDECIDED:
        known = Memory.objects.within(prepared.scope).get(pk=same.id)
        return Amended(known, "unchanged")
    decision = Decision(same=same)
    if not same:
        decision = compared(incoming, prepared, owner=place.owner, but=memory.pk)
    if decision.reasons:
        return _propose(memory, prepared, place, decision)
    if memory.status == Status.ARCHIVED:
        decision = Decision()
    return _settle(memory, values, prepared, place, event, decision, moment)


def _is_judged(memory: Memory, values: Mapping[str, Any], prepared: Prepared) -> bool:
    """Return whether the change is compared with others; what waits is on approval."""
    is_open = memory.status != Status.PENDING and not prepared.is_imported
    return is_open and not JUDGED.isdisjoint(values)


def _reasons_against(memory: Memory, prepared: Prepared) -> tuple[str, ...]:
    """Return why a write may not change a memory but has to wait for a person.

    What waits already may be changed by who is trusted as much, and waits on.
    """
    reasons = reasons_to_hold(prepared)
    if objection := revising.objection(memory, prepared.rank):
        return (objection, *reasons)
    return () if memory.status == Status.PENDING else reasons


def _propose(
    memory: Memory, prepared: Prepared, place: Place, decision: Decision
) -> Amended:
    """Let a change wait for a person as a memory of its own, however often it is sent.

    It contradicts the memory itself and what the decision names.
    """
    waiting = Memory.objects.within(prepared.scope).pending()
    for known in waiting.filter(
        text_key=prepared.text_key,
        source=place.source,
        decision__contradicts__contains=[str(memory.pk)],
    ):
        if not revising.differing(known, values_of(prepared)):
            return Amended(known, "unchanged")
    contradicts = tuple(dict.fromkeys((memory.pk, *decision.contradicts)))
    proposal = replace(decision, contradicts=contradicts)
    return Amended(add(prepared, place, proposal)[0], "added")


def _incoming(
    memory: Memory, values: Mapping[str, Any], prepared: Prepared, moment: datetime
) -> Incoming:
    is_assumed = values.get("subject_is_assumed", memory.subject_is_assumed)
    return replace(
        prepared.incoming,
        subject="" if is_assumed else prepared.draft.subject,
        observed_at=moment,
    )


def _moment(
    memory: Memory, values: Mapping[str, Any], prepared: Prepared, event: str
) -> datetime:
    """Return when the changed statement is said: new words now, if nothing was sent.

    An earlier version that is brought back is wanted now, whenever it was said.
    """
    if event == ROLLED_BACK:
        return prepared.now
    kept = prepared.now if "content" in values else memory.observed_at
    moment: datetime = values.get("observed_at", kept)
    return moment


def _same_words(
    memory: Memory, incoming: Incoming, prepared: Prepared, place: Place
) -> Known | None:
    """Return another memory that says just this and is current or undecided."""
    equals = neighbours.same_text(
        owner=place.owner, namespace=prepared.space.id, text_key=prepared.text_key
    )
    others = [
        one
        for one in equals
        if one.id != memory.pk and one.status in (Status.ACTIVE, *UNDECIDED)
    ]
    return repeated(incoming, others)


def _settle(
    memory: Memory,
    values: Mapping[str, Any],
    prepared: Prepared,
    place: Place,
    event: str,
    decision: Decision,
    moment: datetime,
) -> Amended:
    """Change the memory, and let it and what it meets be what the decision says."""
    other = _unitable(memory, values, prepared, decision)
    retired = [known.id for known in decision.supersedes]
    if other and not revising.objection(other, prepared.rank):
        values = merging.united(memory, other, values, until=moment, now=prepared.now)
        retired.append(other.pk)
        other = None
    memory.decision = memory.decision | replace(decision, same=None).to_dict()
    _revise(memory, values, prepared, place, event)
    make_room(memory, decision, prepared, until=moment)
    if other:
        transitions.merge([memory.pk], into=other.pk, until=moment, now=prepared.now)
        return Amended(other, "reinforced")
    if successor := decision.superseded_by:
        transitions.supersede(
            [memory.pk],
            by=successor.id,
            until=max(successor.last_said_at, moment),
            now=prepared.now,
        )
    memory.refresh_from_db()
    return Amended(memory, "updated", tuple(retired))


def _unitable(
    memory: Memory, values: Mapping[str, Any], prepared: Prepared, decision: Decision
) -> Memory | None:
    """Return the memory that says the same, if the two may become one.

    Two that callers know by different names both stay, and so does an event, which is
    more than its words.
    """
    if decision.same is None or "content" not in values:
        return None
    rows = Memory.objects.within(prepared.scope).select_related("category")
    other = rows.get(pk=decision.same.id)
    name = values.get("external_id", memory.external_id)
    if name and other.external_id and name != other.external_id:
        return None
    is_event = other.category.write_strategy == WriteStrategy.APPEND
    if is_event and other.category_id != prepared.kind.id:
        return None
    return other


def _revise(
    memory: Memory,
    values: Mapping[str, Any],
    prepared: Prepared,
    place: Place,
    event: str,
) -> None:
    revising.revise(
        memory,
        values,
        source=place.source,
        rank=prepared.rank,
        verdict=prepared.verdict,
        placed=placed(prepared) if "content" in values else None,
        event=event,
        by=prepared.by,
        now=prepared.now,
    )
