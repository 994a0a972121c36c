"""Memories that refine each other become one of a higher level.

It keeps all their texts and ids, so nothing is said that nobody said; the parts stay
behind it and come back when the merge is undone. Only memories of the same kind and
the same trust are united, so that nothing trusted hides behind something that is not.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memory_core.consolidation.comparing import Candidate, why
from memory_core.consolidation.rows import as_stored
from memory_core.consolidation.stages import (
    Case,
    Note,
    Person,
    RunScope,
    record,
)
from memory_core.consolidation.strength import combined
from memory_core.contracts.callers import SYSTEM, Scope
from memory_core.contracts.enums import Tier
from memory_core.contracts.memories import Draft, Imported
from memory_core.exceptions import MnemeError
from memory_core.models import Memory
from memory_core.saving import adding, pipeline, preparing, transitions
from memory_core.saving.decide import Decision, Judged
from memory_core.saving.holding import reasons_to_hold
from memory_core.saving.neighbours import Known
from memory_core.saving.preparing import Prepared
from memory_core.saving.relation import normalise

SURE = 0.75
"""Probability from which memories that refine each other are united."""
MOST_PARTS = 4
LONGEST = 400
"""Characters: a memory is a short statement, and its vector has one meaning."""


@dataclass(frozen=True, slots=True)
class Union:
    """The parts of a memory of a higher level, and the draft of it, screened."""

    person: Person
    parts: Sequence[tuple[Known, Judged]]
    prepared: Prepared

    def foresee(self) -> Sequence[Case]:
        """Return which memories would be united, and why."""
        return [self._case(known, judged, None) for known, judged in self.parts]

    def act(self, run_scope: RunScope, note: Note) -> None:
        """Store the memory of the higher level and put its parts behind it."""
        prepared = preparing.with_vectors([self.prepared])[0]
        with pipeline.opened(prepared) as (prepared, place):
            rows = as_stored([known for known, _ in self.parts])
            if len(rows) < len(self.parts) or reasons_to_hold(prepared):
                return
            parts = list(rows.values())
            memory, _ = adding.add(_with_strength(prepared, parts), place, Decision())
            transitions.merge(
                list(rows), into=memory.pk, until=memory.observed_at, now=run_scope.now
            )
            cases = [self._case(k, judged, memory) for k, judged in self.parts]
            for case in cases:
                record(case, self.person, run_scope)
            note(cases)

    def _case(self, known: Known, judged: Judged, memory: Memory | None) -> Case:
        into = {"into": str(memory.pk)} if memory else {}
        together = [str(one.id) for one, _ in self.parts if one is not known]
        return {
            "action": "merged",
            "memory_id": str(known.id),
            "with": together,
            **into,
            **why(judged),
        }


def plan(
    candidate: Candidate, refining: Sequence[Judged], run_scope: RunScope
) -> Union | None:
    """Return the union of a memory with those that refine it, None if none may be."""
    sure = sorted(
        (one for one in refining if one.relation.p >= SURE),
        key=lambda one: -one.relation.p,
    )
    if not sure:
        return None
    judged = {one.known.id: one for one in sure}
    rows = Memory.unscoped.select_related("source").in_bulk(
        [candidate.known.id, *judged]
    )
    own = rows[candidate.known.id]
    alike = [one for one in sure if _goes_with(own, rows[one.known.id])]
    parts = _short_enough(candidate.known, alike)
    if len(parts) < 2:
        return None
    draft = _draft([rows[known.id] for known, _ in parts], candidate, run_scope)
    prepared = _prepared(draft, candidate.person, run_scope)
    if prepared is None or prepared.rank < own.lineage_trust:
        return None
    return Union(candidate.person, parts, prepared)


def _with_strength(prepared: Prepared, parts: Sequence[Memory]) -> Prepared:
    strength = combined(parts, now=prepared.now)
    kept = Imported(
        base_score=strength.base,
        last_accessed_at=strength.last_accessed_at,
        access_count=strength.access_count,
    )
    return replace(prepared, draft=replace(prepared.draft, imported=kept))


def _goes_with(own: Memory, other: Memory) -> bool:
    """Return whether two memories differ in nothing but what they say."""
    return _character(own) == _character(other) and own.tier == Tier.LONG


def _character(memory: Memory) -> tuple[Any, ...]:
    if memory.external_id:  # another system will update it under this name
        return (memory.pk,)
    return (
        memory.category_id,
        memory.stated_subject,
        memory.tier,
        memory.lineage_trust,
        memory.source.kind,
        memory.expire_at,
        memory.occurred_at,
    )


def _short_enough(own: Known, alike: Sequence[Judged]) -> list[tuple[Known, Judged]]:
    parts: list[tuple[Known, Judged]] = []
    length = len(own.content)
    for one in alike[: MOST_PARTS - 1]:
        length += len(one.known.content) + 2
        if length > LONGEST:
            break
        parts.append((one.known, one))
    if parts:
        parts.insert(0, (own, parts[0][1]))
    return parts


def _draft(parts: Sequence[Memory], candidate: Candidate, run_scope: RunScope) -> Draft:
    ordered = sorted(parts, key=lambda part: (part.observed_at, part.pk))
    lead = ordered[0]
    sessions = {part.session_id for part in parts}
    metadata: dict[str, Any] = {}
    for part in reversed(ordered):
        metadata |= part.metadata
    return Draft(
        owner_id=candidate.person.owner_id,
        content=joined([part.content for part in ordered]),
        namespace=run_scope.space.name,
        category=candidate.category,
        source_kind=lead.source.kind,
        source_name=lead.source.name,
        subject=lead.stated_subject,
        entities=_union(part.entities for part in ordered),
        tags=_union(part.tags for part in ordered),
        importance=min(1.0, sum(part.importance for part in parts)),
        confidence=min(part.confidence for part in parts),
        observed_at=max(part.observed_at for part in parts),
        occurred_at=lead.occurred_at,
        expire_at=lead.expire_at,
        session_id=lead.session_id if len(sessions) == 1 else "",
        metadata=metadata,
        related=tuple(
            one
            for one in dict.fromkeys(r for part in ordered for r in part.related)
            if one not in {part.pk for part in parts}
        ),
        derived_from=tuple(part.pk for part in ordered),
    )


def joined(texts: Sequence[str]) -> str:
    """Return the texts as one, those left out that another one contains."""
    folded = [normalise(text) for text in texts]
    kept = [
        text.rstrip(" .;。；")
        for number, text in enumerate(texts)
        if not any(
            folded[number] in other and (folded[number] != other or place < number)
            for place, other in enumerate(folded)
            if place != number
        )
    ]
    is_chinese = any("\u4e00" <= letter <= "\u9fff" for letter in kept[0])
    return ("；" if is_chinese else "; ").join(kept)


def _union(lists: Iterable[Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for part in lists for one in part))


def _prepared(draft: Draft, person: Person, run_scope: RunScope) -> Prepared | None:
    """Return the draft screened; None if it would be refused or have to wait."""
    scope = Scope(person.row, person.owner_id, (run_scope.space.id,))
    try:
        prepared = preparing.prepare(draft, SYSTEM, scope, now=run_scope.now)
    except MnemeError:
        return None
    prepared = replace(prepared, needs_vector=True)
    return None if reasons_to_hold(prepared) else prepared
