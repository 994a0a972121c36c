"""The stage that compares memories: merge, settle or unite, one pair at most once."""

from uuid import UUID

from memory_core.consolidation import joining, settling, uniting
from memory_core.consolidation.comparing import (
    BATCH,
    Candidate,
    candidates,
    judged,
)
from memory_core.consolidation.stages import Ground, Item, Look
from memory_core.saving.vectors import ModelRow, active_model


def look_for_kin(ground: Ground, after: UUID | None) -> Look:
    """Return what is to be done about memories that changed and their neighbours."""
    model = active_model()
    found = candidates(ground, model, after)
    items: list[Item] = []
    busy: set[UUID] = set()
    for candidate in found:
        if candidate.known.id in ground.gone | busy:
            continue
        planned = _plan(candidate, ground, model, busy)
        items += planned
        busy |= {pk for item in planned for pk in _touched(item)}
    last = found[-1].known.id if len(found) == BATCH else None
    return Look(items, len(found), last)


def _plan(
    candidate: Candidate, ground: Ground, model: ModelRow, busy: set[UUID]
) -> list[Item]:
    related = [
        one for one in judged(candidate, ground, model) if one.known.id not in busy
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
        union = uniting.plan(candidate, by_kind["refines"], ground)
        return [union] if union else []
    return []


def _touched(item: Item) -> set[UUID]:
    return {
        UUID(case[name])
        for case in item.foresee()
        for name in ("memory_id", "into", "winner")
        if name in case
    }
