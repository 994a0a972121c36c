"""The stage that compares memories: merge, settle or unite, one pair at most once."""

from uuid import UUID

from memory_core.consolidation import joining, settling, uniting
from memory_core.consolidation.comparing import (
    BATCH,
    Candidate,
    candidates,
    judged,
)
from memory_core.consolidation.stages import Batch, Item, RunScope
from memory_core.saving.vectors import ModelRow, active_model


def look_for_kin(run_scope: RunScope, after: UUID | None) -> Batch:
    """Return what is to be done about memories that changed and their neighbours."""
    model = active_model()
    found = candidates(run_scope, model, after)
    items: list[Item] = []
    busy: set[UUID] = set()
    for candidate in found:
        if candidate.known.id in run_scope.gone | busy:
            continue
        planned = _plan(candidate, run_scope, model, busy)
        items += planned
        busy |= {pk for item in planned for pk in _touched(item)}
    last = found[-1].known.id if len(found) == BATCH else None
    return Batch(items, len(found), last)


def _plan(
    candidate: Candidate, run_scope: RunScope, model: ModelRow, busy: set[UUID]
) -> list[Item]:
    related = [
        one for one in judged(candidate, run_scope, model) if one.known.id not in busy
    ]
    by_kind = {
        kind: [one for one in related if one.relation.kind == kind]
        for kind in ("duplicate", "supersede", "refines")
    }
    if by_kind["duplicate"]:
        merge = joining.plan(candidate, by_kind["duplicate"])
        return [merge] if merge else []
    if by_kind["supersede"]:
        return list(settling.plan(candidate, by_kind["supersede"]))
    if by_kind["refines"]:
        union = uniting.plan(candidate, by_kind["refines"], run_scope)
        return [union] if union else []
    return []


def _touched(item: Item) -> set[UUID]:
    return {
        UUID(case[name])
        for case in item.foresee()
        for name in ("memory_id", "into", "winner")
        if name in case
    }
