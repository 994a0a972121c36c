"""The very words that are known already: noted, and stronger if they confirm.

What a less trusted source repeats, or what would have to wait for a person, is noted
in the history and changes nothing else. A wording that the write filter holds is not
even noted: it differs in what no reader sees.
"""

from memory_core import digests
from memory_core.contracts.enums import SourceKind, Status
from memory_core.models import Memory, MemoryUse
from memory_core.saving import revising, storage, transitions, versions
from memory_core.saving.holding import findings, reasons_to_hold
from memory_core.saving.neighbours import Known
from memory_core.saving.preparing import Prepared
from memory_core.saving.provenance import confidence_of
from memory_core.saving.strength import left
from memory_core.scoring import gain_for_rank, may_gain, reinforced

UNMOVED = (Status.PENDING, Status.REJECTED)


def repeat(known: Known, prepared: Prepared, *, source: int) -> tuple[Memory, str]:
    """Return the memory that was said again, and the event.

    The event is `unchanged` for a repetition of what waits, was rejected or was
    loaded before, else `reinforced`.
    """
    memory = Memory.objects.within(prepared.scope).get(pk=known.id)
    if memory.status in UNMOVED or prepared.is_imported:
        return memory, "unchanged"
    if findings(prepared.verdict):
        return memory, "reinforced"
    gains = confirms(memory, prepared)
    _note(memory, prepared, source=source)
    if prepared.rank < memory.lineage_trust or reasons_to_hold(prepared):
        return memory, "reinforced"
    credit(memory, prepared, gains=gains)
    if memory.status == Status.ARCHIVED:
        transitions.activate([memory.pk], now=prepared.now)
        memory.refresh_from_db()
    if _is_better_said(memory, prepared):
        _adopt(memory, prepared, source=source)
    return memory, "reinforced"


def confirms(memory: Memory, prepared: Prepared) -> bool:
    """Return whether a user says it again in another session than before.

    Without sessions an hour has to lie between, as for recalls.
    """
    if prepared.origin.kind != SourceKind.USER_INPUT:
        return False
    session = prepared.draft.session_id
    if session and memory.session_id:
        is_new = session != memory.session_id
        return is_new and not versions.was_said_in(memory, session)
    last = memory.confirmed_at or memory.observed_at
    return may_gain(last, now=max(prepared.observed_at, last))


def credit(memory: Memory, prepared: Prepared, *, gains: bool) -> None:
    """Move the last time it was said, and with `gains` the base, as rank 1 does."""
    said_at = prepared.observed_at
    if gains:
        use = MemoryUse.objects.select_for_update().get(pk=memory.pk)
        strength = confirmed(memory, use, prepared)
        use.base_score = strength.base
        use.last_accessed_at = use.last_gain_at = strength.last_accessed_at
        use.save(update_fields=["base_score", "last_accessed_at", "last_gain_at"])
    if said_at > (memory.confirmed_at or memory.observed_at):
        memory.confirmed_at = said_at
        memory.save(update_fields=["confirmed_at"])


def confirmed(memory: Memory, use: MemoryUse, prepared: Prepared) -> storage.Strength:
    """Return the strength after a confirmation, whichever of the two was said first."""
    since = use.last_accessed_at or memory.observed_at
    earlier, later = sorted((since, prepared.observed_at))
    faded = left(memory, use, now=later, since=earlier)
    base = reinforced(use.base_score, faded, gain_for_rank(1))
    return storage.Strength(base, later, use.access_count)


def _note(memory: Memory, prepared: Prepared, *, source: int) -> None:
    draft = prepared.draft
    is_the_same = (
        draft.content == memory.content
        and draft.session_id == memory.session_id
        and source == memory.source_id
    )
    if not is_the_same:
        versions.keep_wording(
            memory,
            draft.content,
            session_id=draft.session_id,
            source=source,
            external_id=draft.external_id,
            by=prepared.by,
            now=prepared.now,
        )


def _is_better_said(memory: Memory, prepared: Prepared) -> bool:
    if bytes(memory.text_key) != prepared.text_key:
        return False  # said in the words of a wording that was merged into it
    if revising.objection(memory, prepared.rank):
        return False
    is_more_trusted = prepared.rank > memory.lineage_trust
    return is_more_trusted or prepared.observed_at < memory.observed_at


def _adopt(memory: Memory, prepared: Prepared, *, source: int) -> None:
    """Let the memory be what the more trusted, or the first, who said it said."""
    draft = prepared.draft
    versions.keep_replaced(memory, event="adopted", by=prepared.by, now=prepared.now)
    memory.content = draft.content
    memory.content_digest = digests.of_content(draft.content)
    memory.source_id = source
    memory.lineage_trust = prepared.rank
    own = confidence_of(draft, prepared.origin.kind)
    memory.confidence = max(memory.confidence, own)
    said = (memory.observed_at, prepared.observed_at, memory.confirmed_at)
    times = [moment for moment in said if moment]
    memory.observed_at, memory.confirmed_at = min(times), max(times)
    memory.verdict = prepared.verdict.to_dict()
    memory.rules_version = prepared.verdict.version
    memory.version += 1
    memory.updated_at = prepared.now
    storage.reindex(memory, placed=None, keep_vectors=True)
