"""The same thing in other words: one memory answers, the other is kept behind it.

The first wording of the most trusted source answers. Both rows stay, so that a merge
can be undone; which one arrived first makes no difference.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from memory_core.contracts.enums import Status, Tier
from memory_core.contracts.limits import MOST_TAGS
from memory_core.models import Memory, MemoryUse
from memory_core.saving import storage, transitions
from memory_core.saving.bounded import joined, joined_metadata
from memory_core.saving.decide import Decision
from memory_core.saving.neighbours import Known
from memory_core.saving.preparing import Prepared
from memory_core.saving.repeating import confirmed, confirms, credit, renew, renewals
from memory_core.saving.rows import new_row, placed
from memory_core.scoring import base_at_birth

SHARED = ("tier", "importance", "tags", "metadata", "external_id")
MOST_WORDINGS = 100
"""Rows kept behind one memory: rewording a thing for ever must not fill the disk."""


def merge(prepared: Prepared, decision: Decision, *, owner: int, source: int) -> Memory:
    """Store the new wording and return the memory that answers from now on."""
    known = decision.same
    if known is None:
        raise ValueError("nothing to merge with")
    memory = Memory.objects.within(prepared.scope).get(pk=known.id)
    row = new_row(
        prepared,
        owner=owner,
        source=source,
        decision=replace(decision, same=None),
        reasons=(),
    )
    if _leads(prepared, known):
        return _take_over(row, memory, prepared)
    return _stand_behind(row, memory, prepared)


def united(
    memory: Memory,
    other: Memory,
    values: Mapping[str, Any],
    *,
    until: datetime,
    now: datetime,
) -> dict[str, Any]:
    """Put `other` behind a memory that comes to say the same; return its new values.

    It takes over what the other one had gained: strength, name, tags, metadata.
    """
    transitions.merge([other.pk], into=memory.pk, until=until, now=now)
    uses = MemoryUse.objects.select_for_update().in_bulk([memory.pk, other.pk])
    use, gained = uses[memory.pk], uses[other.pk]
    use.base_score = max(use.base_score, gained.base_score)
    use.save(update_fields=["base_score"])
    new = {name: values.get(name, getattr(memory, name)) for name in SHARED}
    permanent = Tier.PERMANENT in (new["tier"], other.tier)
    together = {
        "tier": Tier.PERMANENT.value if permanent else new["tier"],
        "importance": max(new["importance"], other.importance),
        "tags": joined(new["tags"], other.tags, most=MOST_TAGS),
        "metadata": joined_metadata(new["metadata"], other.metadata),
        "external_id": new["external_id"] or other.external_id,
    }
    if together["external_id"] != new["external_id"]:  # it goes back with an unmerge
        memory.decision = memory.decision | {"name_of": str(other.pk)}
    return {**values, **together}


def _leads(prepared: Prepared, known: Known) -> bool:
    """Return whether the new wording is the one that answers."""
    if known.status != Status.ACTIVE or known.tier == Tier.PERMANENT:
        return False
    if prepared.rank != known.rank:
        return prepared.rank > known.rank
    return prepared.observed_at < known.observed_at


def _take_over(row: Memory, memory: Memory, prepared: Prepared) -> Memory:
    use = MemoryUse.objects.select_for_update().get(pk=memory.pk)
    own = base_at_birth(prepared.origin.kind, prepared.draft.importance)
    use.base_score = max(use.base_score, own)
    strength = storage.Strength(use.base_score, use.last_accessed_at, use.access_count)
    if confirms(memory, prepared):
        strength = confirmed(memory, use, prepared)
    said = (memory.observed_at, memory.confirmed_at, prepared.observed_at)
    times = [moment for moment in said if moment]
    row.observed_at, row.confirmed_at = min(times), max(times)
    storage.insert(row, strength=strength, placed=placed(prepared))
    transitions.merge([memory.pk], into=row.pk, until=row.observed_at, now=prepared.now)
    return row


def _stand_behind(row: Memory, memory: Memory, prepared: Prepared) -> Memory:
    gains = confirms(memory, prepared)
    if Memory.objects.within(prepared.scope).filter(merged_into=memory).count() < (
        MOST_WORDINGS
    ):
        row.status, row.merged_into_id = Status.SUPERSEDED, memory.pk
        row.until = row.observed_at
        base = base_at_birth(prepared.origin.kind, prepared.draft.importance)
        storage.insert(row, strength=storage.Strength(base), placed=placed(prepared))
    if prepared.rank >= memory.lineage_trust:
        values = renewals(memory, prepared)
        values.pop("external_id", None)  # the row behind it has that name
        credit(memory, prepared, gains=gains)
        renew(memory, values, prepared)
    return memory
