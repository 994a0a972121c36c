"""Memories that say the same become one; the others are kept behind it, whole.

The most trusted wording answers, among equals the first one. What is less trusted adds
nothing to it, and nothing is merged into a memory that is less trusted than itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from memory_core.consolidation.comparing import Candidate, why
from memory_core.consolidation.rows import as_stored
from memory_core.consolidation.stages import (
    Case,
    Note,
    Person,
    RunScope,
    locked,
    record,
)
from memory_core.consolidation.strength import combined, set_strength
from memory_core.contracts.callers import SYSTEM
from memory_core.contracts.enums import Tier
from memory_core.models import Memory
from memory_core.saving import storage, transitions, versions
from memory_core.saving.decide import Judged
from memory_core.saving.neighbours import Known


@dataclass(frozen=True, slots=True)
class Merge:
    """Memories that one of them can stand for, each with what was judged of it."""

    person: Person
    leader: Known
    others: Sequence[tuple[Known, Judged]]

    def foresee(self) -> Sequence[Case]:
        """Return which memory would be merged into which, and why."""
        return [self._case(known, judged) for known, judged in self.others]

    def act(self, run_scope: RunScope, note: Note) -> None:
        """Merge those that still say what was judged."""
        with locked(self.person, run_scope):
            rows = as_stored([self.leader, *(known for known, _ in self.others)])
            leader = rows.pop(self.leader.id, None)
            if leader is None or not rows:
                return
            merge(leader, list(rows.values()), run_scope)
            cases = [self._case(k, judged) for k, judged in self.others if k.id in rows]
            for case in cases:
                record(case, self.person, run_scope)
            note(cases)

    def _case(self, known: Known, judged: Judged) -> Case:
        return {
            "action": "merged",
            "memory_id": str(known.id),
            "into": str(self.leader.id),
            **why(judged),
        }


def plan(candidate: Candidate, duplicates: Sequence[Judged]) -> Merge | None:
    """Return the merge of a memory with its duplicates, None if none may happen."""
    judged = {one.known.id: one for one in duplicates}
    known = [candidate.known, *(one.known for one in duplicates)]
    leader = min(known, key=_order)
    judged.setdefault(candidate.known.id, judged.get(leader.id, duplicates[0]))
    others = [
        (one, judged[one.id])
        for one in known
        if one is not leader and one.tier != Tier.PERMANENT and one.rank <= leader.rank
    ]
    return Merge(candidate.person, leader, others) if others else None


def merge(leader: Memory, others: Sequence[Memory], run_scope: RunScope) -> None:
    """Let `leader` stand for `others`; importance is added up, nothing is lost."""
    versions.keep_replaced(leader, event="merged", by=SYSTEM, now=run_scope.now)
    peers = [one for one in others if one.lineage_trust >= leader.lineage_trust]
    strength = combined([leader, *peers], now=run_scope.now)
    added = {}
    for peer in peers:
        added[str(peer.pk)] = min(peer.importance, 1.0 - leader.importance)
        leader.importance += added[str(peer.pk)]
    earlier = leader.decision.get("importance_of", {})
    leader.decision = leader.decision | {"importance_of": earlier | added}
    times = [leader, *peers]
    said = [m.confirmed_at or m.observed_at for m in times]
    leader.observed_at, leader.confirmed_at = (
        min(m.observed_at for m in times),
        max(said),
    )
    leader.version += 1
    leader.updated_at = run_scope.now
    storage.reindex(leader, placed=None, keep_vectors=True)
    set_strength(leader, strength)
    until = leader.observed_at
    transitions.merge(
        [one.pk for one in others], into=leader.pk, until=until, now=run_scope.now
    )


def _order(known: Known) -> tuple[object, ...]:
    """Permanent before trusted before early; the id settles the rest."""
    return (
        known.tier != Tier.PERMANENT,
        -known.rank,
        known.observed_at,
        known.id,
    )
