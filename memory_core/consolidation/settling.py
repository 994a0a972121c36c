"""Contradictions that slipped in: the later, better sourced statement wins.

The rules are those of a save. What would have to replace something more trusted waits
for a person, unless a person has already seen it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

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
from memory_core.models import Memory
from memory_core.saving import transitions
from memory_core.saving.decide import AGAINST_MORE_TRUSTED, Judged, decide
from memory_core.saving.neighbours import Known

SURE = 0.85
"""Probability from which a contradiction is settled: nobody is there to object, and a
run compares far more pairs than a save."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """Two statements of which one has to go: replaced (or held, with a reason)."""

    person: Person
    loser: Known
    winner: Known
    judged: Judged
    reason: str = ""

    def foresee(self) -> Sequence[Case]:
        """Return what would become of the loser, and why."""
        case: Case = {
            "action": "held" if self.reason else "superseded",
            "memory_id": str(self.loser.id),
            "winner": str(self.winner.id),
            **why(self.judged),
        }
        return [case | {"reason": self.reason}] if self.reason else [case]

    def act(self, run_scope: RunScope, note: Note) -> None:
        """Do it if both still stand and say what was judged."""
        with locked(self.person, run_scope):
            rows = as_stored([self.loser, self.winner])
            if len(rows) < 2 or (self.reason and rows[self.loser.id].reviewed_at):
                return
            if self.reason:
                self._hold(rows[self.loser.id], run_scope)
            else:
                self._supersede(rows, run_scope)
            cases = self.foresee()
            for case in cases:
                record(case, self.person, run_scope)
            note(cases)

    def _hold(self, loser: Memory, run_scope: RunScope) -> None:
        grounds = {"reasons": [self.reason], "contradicts": [str(self.winner.id)]}
        transitions.hold([loser.pk], now=run_scope.now)
        Memory.unscoped.filter(pk=loser.pk).update(decision=loser.decision | grounds)

    def _supersede(self, rows: dict[Any, Memory], run_scope: RunScope) -> None:
        winner = rows[self.winner.id]
        transitions.supersede(
            [self.loser.id],
            by=winner.pk,
            until=max(self.winner.last_said_at, self.loser.observed_at),
            now=run_scope.now,
        )
        older = winner.decision.get("supersedes", [])
        decision = winner.decision | {"supersedes": [*older, str(self.loser.id)]}
        Memory.unscoped.filter(pk=winner.pk).update(decision=decision)


def plan(candidate: Candidate, conflicts: Sequence[Judged]) -> list[Settlement]:
    """Return what has to become of a memory and of those it contradicts."""
    conflicts = [one for one in conflicts if one.relation.p >= SURE]
    person, known = candidate.person, candidate.known
    judged = {one.known.id: one for one in conflicts}
    decision = decide(candidate.as_incoming(), conflicts)
    if decision.reasons and decision.contradicts:
        stronger = judged[decision.contradicts[0]]
        reason = decision.reasons[0]
        return [Settlement(person, known, stronger.known, stronger, reason)]
    found = [
        Settlement(person, older, known, judged[older.id])
        for older in decision.supersedes
    ]
    found += [
        Settlement(person, judged[pk].known, known, judged[pk], AGAINST_MORE_TRUSTED)
        for pk in decision.demotes
    ]
    if newer := decision.superseded_by:
        found.append(Settlement(person, known, newer, judged[newer.id]))
    return found
