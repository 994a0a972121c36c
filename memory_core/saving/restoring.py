"""Back again: a retired memory, a merged wording.

A caller may bring back what it would have been allowed to write; for the rest the
memory waits for a person. What comes back is screened by the rules of today.
"""

from dataclasses import replace
from uuid import UUID

from memory_core import auditing
from memory_core.contracts.enums import Status
from memory_core.contracts.trust import TrustRank
from memory_core.exceptions import NotFound, TransitionRefused
from memory_core.models import Memory
from memory_core.saving import gates, transitions
from memory_core.saving.changing import merged_draft
from memory_core.saving.decide import AGAINST_MORE_TRUSTED
from memory_core.saving.holding import findings, reasons_to_hold
from memory_core.saving.preparing import Prepared, verdict_on
from memory_core.saving.provenance import origin_of, speaks_for_users

RETIRED = (Status.SUPERSEDED, Status.ARCHIVED, Status.EXPIRED)


def restore(prepared: Prepared, *, memory_id: UUID) -> Memory:
    """Return a superseded, archived or expired memory, current again.

    Its successor stays: both are kept, and the memory notes that it was kept apart
    from it. Runs in the transaction that is `pipeline.opened`. Raises NotFound or
    TransitionRefused.
    """
    memory = _locked(prepared, memory_id)
    if memory.status not in RETIRED or memory.merged_into_id:
        raise TransitionRefused(
            "Only a superseded, archived or expired memory can be restored.",
            why="not_retired",
        )
    _bring_back(memory, prepared, memory.superseded_by)
    _record("memory.restore", memory, prepared, brought_back=[memory])
    return memory


def unmerge(prepared: Prepared, *, memory_id: UUID) -> Memory:
    """Return a merged memory, or the one that others were merged into, as its own.

    Undone by its survivor, a merge brings all others back; a survivor that was made of
    them is put away. Raises as `restore` does.
    """
    memory = _locked(prepared, memory_id)
    merged = list(Memory.objects.within(prepared.scope).filter(merged_into=memory))
    if memory.merged_into_id:
        back = [memory]
        _bring_back(memory, prepared, memory.merged_into)
    elif merged:
        back = merged
        for one in merged:
            _bring_back(one, _judged_by_itself(one, prepared), memory)
    else:
        raise TransitionRefused(
            "Nothing is merged into it, nor it into another.", why="not_merged"
        )
    if set(memory.derived_from) & {one.pk for one in merged}:
        transitions.archive([memory.pk], now=prepared.now)
        memory.refresh_from_db()
    _record("memory.unmerge", memory, prepared, brought_back=back)
    return memory


def _locked(prepared: Prepared, memory_id: UUID) -> Memory:
    rows = Memory.objects.within(prepared.scope).select_for_update(of=("self",))
    memory: Memory | None = rows.filter(pk=memory_id).first()
    if memory is None:
        raise NotFound()
    return memory


def _judged_by_itself(memory: Memory, prepared: Prepared) -> Prepared:
    """Return the write as if it named this memory: its words, its source's state.

    Raises SourceBlocked or ScreeningRefused.
    """
    by, owner_id = prepared.by, prepared.scope.owner_id
    draft = merged_draft(memory, {}, by, owner_id=owner_id)
    origin = origin_of(draft, by)
    trust = gates.look(memory.namespace_id, origin, owner_id, now=prepared.now).trust
    return replace(
        prepared,
        draft=draft,
        origin=origin,
        trust=trust,
        verdict=verdict_on(draft, origin, trust),
        text_key=bytes(memory.text_key),
    )


def _bring_back(memory: Memory, prepared: Prepared, other: Memory | None) -> None:
    """Make a memory current, or let it wait for a person, apart from `other`."""
    if other:
        _give_back_name(other, memory)
    _require_free_name(memory, prepared)
    verdict = prepared.verdict
    reasons = list(_reasons(memory, prepared))
    others = [other.lineage_trust] if other else []
    if _rank(prepared) < max([memory.lineage_trust, *others]):
        reasons.insert(0, AGAINST_MORE_TRUSTED)
    transitions.activate([memory.pk], now=prepared.now)
    if reasons:
        transitions.hold([memory.pk], now=prepared.now)
    memory.refresh_from_db()
    if reasons:
        memory.decision["reasons"] = reasons
    if other:
        memory.decision["kept_apart"] = [str(other.pk)]
        _take_back_importance(other, memory)
    if memory.expire_at and memory.expire_at <= prepared.now:
        memory.expire_at = None  # else no recall would ever show it
    memory.verdict, memory.rules_version = verdict.to_dict(), verdict.version
    memory.save(update_fields=["decision", "expire_at", "verdict", "rules_version"])


def _reasons(memory: Memory, prepared: Prepared) -> tuple[str, ...]:
    """What a person has approved waits again only if the write filter holds it now."""
    if memory.reviewed_at:
        return findings(prepared.verdict)
    return reasons_to_hold(prepared)


def _take_back_importance(survivor: Memory, memory: Memory) -> None:
    """Undo what a consolidation added to the survivor of a merge."""
    added = survivor.decision.get("importance_of", {}).pop(str(memory.pk), 0.0)
    if added:
        survivor.importance = max(0.0, survivor.importance - added)
        survivor.save(update_fields=["importance", "decision"])


def _give_back_name(survivor: Memory, memory: Memory) -> None:
    """Undo that the survivor of a merge took the memory's external id."""
    if survivor.decision.get("name_of") == str(memory.pk):
        survivor.decision.pop("name_of")
        survivor.external_id = ""
        survivor.save(update_fields=["external_id", "decision"])


def _rank(prepared: Prepared) -> TrustRank:
    """Bringing back says nothing new: who may speak for users may do it for them."""
    speaks = speaks_for_users(prepared.by)
    return max(prepared.rank, TrustRank.USER_INPUT if speaks else prepared.rank)


def _require_free_name(memory: Memory, prepared: Prepared) -> None:
    others = Memory.objects.within(prepared.scope).active().exclude(pk=memory.pk)
    name = memory.external_id
    if name and others.filter(external_id=name).exists():
        raise TransitionRefused(
            "Another memory has its external_id now.", why="name_taken"
        )


def _record(
    action: str, memory: Memory, prepared: Prepared, *, brought_back: list[Memory]
) -> None:
    auditing.record(
        action,
        by=prepared.by,
        namespace=prepared.space.name,
        memory_id=memory.pk,
        owner_id=prepared.scope.owner_id,
        content=memory.content,
        status=Status(memory.status).word,
        brought_back=[str(one.pk) for one in brought_back],
    )
