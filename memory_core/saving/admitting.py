"""What a reviewer lets in: judged against what is current by then.

What was saved while it waited may say the same, or contradict it. A reviewer's word
replaces what the reviewer was shown, and what the memory might have replaced by
itself: what was said before it by somebody who is trusted no more. Anything else,
newer or more trusted, is put beside the memory first, which waits on; approving it
again then decides between the two.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import numpy as np

from memory_core.contracts.callers import Actor
from memory_core.contracts.enums import SourceKind, Status, Tier
from memory_core.contracts.relation import Statement, Vector
from memory_core.contracts.trust import TrustRank
from memory_core.exceptions import TransitionRefused
from memory_core.models import Memory, MemoryVector
from memory_core.saving import (
    lookups,
    merging,
    neighbours,
    revising,
    transitions,
    versions,
)
from memory_core.saving.comparing import judged_near
from memory_core.saving.decide import (
    AGAINST_MORE_TRUSTED,
    AGAINST_PERMANENT,
    Incoming,
    Judged,
    is_newer,
    repeated,
)
from memory_core.saving.neighbours import Known
from memory_core.saving.provenance import may_be_permanent
from memory_core.saving.vectors import active_model, embed_in_time


@dataclass(frozen=True, slots=True)
class Present:
    """What is current and says the same, or contradicts the memory.

    `unseen` are those contradictions that the reviewer has to see first.
    """

    same: Known | None = None
    against: tuple[Known, ...] = ()
    unseen: tuple[Known, ...] = ()


def present(memory: Memory, *, now: datetime) -> Present:
    """Return how a memory that waits stands to what is current.

    One that is current already was judged when it was saved.
    """
    if memory.status != Status.PENDING:
        return Present()
    incoming = _incoming(memory)
    equals = neighbours.same_text(
        owner=memory.owner_id,
        namespace=memory.namespace_id,
        text_key=bytes(memory.text_key),
    )
    same = repeated(incoming, [one for one in equals if _is_current(one, now)])
    judged = [] if same else _judged(memory, incoming)
    judged = [one for one in judged if _is_current(one.known, now)]
    alike = [one for one in judged if one.relation.kind == "duplicate"]
    best = max(alike, key=lambda one: one.relation.p, default=None)
    against = [one.known for one in judged if one.relation.kind == "supersede"]
    shown = _shown(memory)
    unseen = [
        one for one in against if one.id not in shown and not _gives_way(one, incoming)
    ]
    return Present(
        same=same or (best.known if best else None),
        against=tuple(against),
        unseen=tuple(unseen),
    )


def show(memory: Memory, found: Sequence[Known]) -> None:
    """Put what the memory contradicts beside it, for whoever decides next."""
    reasons = list(memory.decision.get("reasons", []))
    if any(one.tier == Tier.PERMANENT for one in found):
        reasons.append(AGAINST_PERMANENT)
    if any(one.rank > memory.lineage_trust for one in found):
        reasons.append(AGAINST_MORE_TRUSTED)
    memory.decision = memory.decision | {"reasons": list(dict.fromkeys(reasons))}
    _name_contradicted(memory, [one.id for one in found])
    memory.save(update_fields=["decision"])


def let_in(memory: Memory, found: Present, *, by: Actor, now: datetime) -> int:
    """Make a memory current in place of what it contradicts; return how many those are.

    With one that says the same it becomes one memory: the more trusted of the two.
    Raises TransitionRefused when its external id is another memory's by now.
    """
    other = Memory.unscoped.get(pk=found.same.id) if found.same else None
    against = [one.id for one in found.against]
    if other is None or _leads(memory, other):
        count = _retire(memory, against, successor=memory.pk, now=now)
        if other:
            _unite(memory, other, by=by, now=now)
        if memory.status == Status.PENDING:
            _require_free_name(memory)
            transitions.activate([memory.pk], now=now)
        return count
    count = _retire(memory, against, successor=other.pk, now=now)
    _unite(other, memory, by=by, now=now)
    return count


def take_out(memory: Memory, *, now: datetime) -> None:
    """Let a memory wait again, and bring back what it retired when it was let in."""
    back = memory.supersedes.filter(pk__in=_shown(memory), status=Status.SUPERSEDED)
    united = list(map(UUID, memory.decision.get("united", [])))
    behind = memory.merged.filter(pk__in=united)
    retired = {one.pk for rows in (back, behind) for one in rows}
    transitions.hold([memory.pk], now=now)
    transitions.activate(sorted(retired), now=now)


def _retire(
    memory: Memory, against: Sequence[UUID], *, successor: UUID, now: datetime
) -> int:
    """Supersede what the memory contradicts; its decision names it, for the undo."""
    rows = Memory.unscoped.filter(
        pk__in={*_shown(memory), *against} - {memory.pk, successor},
        owner_id=memory.owner_id,
        namespace_id=memory.namespace_id,
        status=Status.ACTIVE,
    )
    moments = dict(rows.values_list("pk", "observed_at"))
    older = [pk for pk, moment in moments.items() if moment <= memory.observed_at]
    newer = [pk for pk in moments if pk not in older]
    count = transitions.supersede(
        older, by=successor, until=memory.observed_at, now=now
    )
    count += transitions.supersede(newer, by=successor, until=now, now=now)
    if moments:
        _name_contradicted(memory, moments)
        memory.save(update_fields=["decision"])
    return count


def _leads(memory: Memory, other: Memory) -> bool:
    """Return whether the memory answers for both, and not the one that is current."""
    is_raised = memory.tier == Tier.PERMANENT != other.tier
    return is_raised or memory.lineage_trust > other.lineage_trust


def _unite(leader: Memory, behind: Memory, *, by: Actor, now: datetime) -> None:
    """Put one of two that say the same behind the other, which gets what both have."""
    values = merging.united(leader, behind, {}, until=now, now=now)
    values = revising.differing(leader, values)
    if _is_taken(values.get("external_id", ""), leader):
        del values["external_id"]
    if values:
        versions.keep_replaced(leader, event="updated", by=by, now=now)
        leader.version += 1
    for name, value in values.items():
        setattr(leader, name, value)
    if behind.status == Status.ACTIVE:  # it comes back when the approval is undone
        leader.decision = leader.decision | {"united": [str(behind.pk)]}
    leader.save(update_fields=[*values, "version", "decision"])


def _require_free_name(memory: Memory) -> None:
    if _is_taken(memory.external_id, memory):
        raise TransitionRefused(
            "Another memory has its external_id now.", why="name_taken"
        )


def _is_taken(name: str, memory: Memory) -> bool:
    rows = Memory.unscoped.filter(
        owner_id=memory.owner_id,
        namespace_id=memory.namespace_id,
        external_id=name,
        status=Status.ACTIVE,
    )
    return bool(name) and rows.exclude(pk=memory.pk).exists()


def _is_current(known: Known, now: datetime) -> bool:
    return known.status == Status.ACTIVE and not known.is_over(now)


def _gives_way(known: Known, incoming: Incoming) -> bool:
    """Return whether a save of the memory would have replaced it without asking."""
    if known.tier == Tier.PERMANENT and not may_be_permanent(incoming.rank):
        return False
    return is_newer(incoming, known) and known.rank <= incoming.rank


def _judged(memory: Memory, incoming: Incoming) -> list[Judged]:
    model = active_model()
    rows = MemoryVector.objects.filter(memory_id=memory.pk, model_id=model.id)
    stored = rows.values_list("vector", flat=True).first()
    vector: Vector | None = None
    if stored is not None:
        vector = np.asarray(stored, np.float32)
    elif incoming.may_merge:
        [vector] = embed_in_time(model, [memory.content])
    statement = Statement(
        memory.content, incoming.subject, incoming.observed_at, vector
    )
    return judged_near(
        incoming,
        statement,
        owner=memory.owner_id,
        namespace=memory.namespace_id,
        model=model,
        but=memory.pk,
    )


def _shown(memory: Memory) -> set[UUID]:
    return {UUID(one) for one in memory.decision.get("contradicts", [])}


def _name_contradicted(memory: Memory, ids: Iterable[UUID]) -> None:
    named = [*memory.decision.get("contradicts", []), *map(str, ids)]
    together = list(dict.fromkeys(named))
    memory.decision = memory.decision | {"contradicts": together}


def _incoming(memory: Memory) -> Incoming:
    kind = lookups.category(lookups.category_name(memory.category_id))
    return Incoming(
        rank=TrustRank(memory.lineage_trust),
        strategy=kind.strategy,
        subject=memory.stated_subject,
        observed_at=max(memory.observed_at, memory.confirmed_at or memory.observed_at),
        occurred_at=memory.occurred_at,
        is_permanent=memory.tier == Tier.PERMANENT,
        is_imported=memory.source.kind == SourceKind.IMPORT,
    )
