"""Pairs of an owner's memories that say the same, refine or contradict each other."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from memory_core.consolidation.stages import Person, RunScope
from memory_core.contracts.enums import Status, Tier
from memory_core.contracts.trust import TrustRank
from memory_core.models import Memory
from memory_core.prepared import fetch
from memory_core.saving import lookups, neighbours
from memory_core.saving.decide import Incoming, Judged
from memory_core.saving.judging import judge
from memory_core.saving.neighbours import Known
from memory_core.saving.vectors import ModelRow, from_bytes

BATCH = 25

CANDIDATES = f"""
SELECT m.owner_id, w.external_id, m.category_id, {neighbours.COLUMNS},
       halfvec_send(v.vector)
  FROM memory_core_memory m
  JOIN memory_core_owner w ON w.id = m.owner_id
  JOIN memory_core_memoryvector v ON v.memory_id = m.id AND v.model_id = %(model)s
 WHERE m.namespace_id = %(space)s AND m.status = {Status.ACTIVE:d}
   AND m.category_id = ANY(%(categories)s)
   AND (%(owner)s::bigint IS NULL OR m.owner_id = %(owner)s)
   AND (%(since)s::timestamptz IS NULL OR m.updated_at > %(since)s)
   AND (%(after)s::uuid IS NULL OR m.id > %(after)s)
 ORDER BY m.id LIMIT {BATCH}
"""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory to compare with its neighbours; `known` is what a decision needs."""

    person: Person
    category: str
    strategy: str
    known: Known

    def as_incoming(self) -> Incoming:
        """Return it as if it were said anew, for the rules of a save."""
        return Incoming(
            rank=TrustRank(self.known.rank),
            strategy=self.strategy,
            subject=self.known.subject,
            observed_at=self.known.last_said_at,
            occurred_at=self.known.occurred_at,
            is_permanent=self.known.tier == Tier.PERMANENT,
        )


def candidates(
    run_scope: RunScope, model: ModelRow, after: UUID | None
) -> Sequence[Candidate]:
    """Return the next memories to compare, in the order of their ids."""
    values = {
        "model": model.id,
        "space": run_scope.space.id,
        "categories": lookups.mergeable(),
        "owner": run_scope.owner,
        "since": run_scope.since,
        "after": after,
    }
    return [_candidate(row) for row in fetch(CANDIDATES, values)]


def judged(candidate: Candidate, run_scope: RunScope, model: ModelRow) -> list[Judged]:
    """Return the active neighbours that are not distinct, each with its relation.

    What people or agents have kept apart before stays apart.
    """
    known = candidate.known
    if known.vector is None:
        return []
    near = neighbours.nearest(
        known.vector,
        owner=candidate.person.row,
        namespace=run_scope.space.id,
        model_id=model.id,
        observed_at=known.observed_at,
    )
    others = [
        one
        for one in near
        if one.status == Status.ACTIVE and one.id not in run_scope.gone | {known.id}
    ]
    found = judge(candidate.as_incoming(), known.statement(), others, model=model.name)
    related = [one for one in found if one.relation.kind != "distinct"]
    apart = kept_apart(known.id, (one.known.id for one in related))
    return [one for one in related if one.known.id not in apart]


def kept_apart(memory_id: UUID, others: Iterable[UUID]) -> set[UUID]:
    """Return those of `others` that were told apart from the memory on purpose.

    Two that were taken out of the same merge are apart too.
    """
    ids = list(others)
    if not ids:
        return set()
    rows = Memory.unscoped.filter(pk__in=[memory_id, *ids])
    apart = {
        pk: set(decision.get("kept_apart", ()))
        for pk, decision in rows.values_list("pk", "decision")
    }
    own = apart.get(memory_id, set())
    return {
        pk
        for pk in ids
        if str(pk) in own or str(memory_id) in apart[pk] or own & apart[pk]
    }


def why(one: Judged) -> dict[str, Any]:
    """Return what speaks for a relation, for a case."""
    relation = one.relation
    return {
        "relation": relation.kind,
        "p": round(relation.p, 4),
        "version": relation.version,
        "signals": {k: round(v, 4) for k, v in relation.signals.items()},
    }


def _candidate(row: tuple[Any, ...]) -> Candidate:
    owner, owner_id, category_id, *columns, sent = row
    identity, content, subject, status, *rest = columns
    vector = from_bytes(bytes(sent))
    values = [identity, content, subject, Status(status), *rest, vector]
    known = Known(*values)
    name = lookups.category_name(category_id)
    return Candidate(
        Person(owner, owner_id), name, lookups.category(name).strategy, known
    )
