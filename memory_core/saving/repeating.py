"""The very words that are known already: noted, and stronger if they confirm.

Fields that are sent with the repetition renew those of the memory. What a less trusted
source repeats, or what would have to wait for a person, is noted in the history and
changes nothing else. A wording that the write filter holds is not
even noted: it differs in what no reader sees.
"""

from collections.abc import Mapping
from typing import Any

from memory_core import digests
from memory_core.contracts.enums import SourceKind, Status
from memory_core.contracts.limits import MOST_ENTITIES, MOST_RELATED, MOST_TAGS
from memory_core.models import Memory, MemoryUse
from memory_core.saving import revising, storage, transitions, versions
from memory_core.saving.bounded import joined, joined_metadata
from memory_core.saving.holding import findings, reasons_to_hold
from memory_core.saving.neighbours import Known
from memory_core.saving.preparing import Prepared
from memory_core.saving.provenance import confidence_of, wants_permanent
from memory_core.saving.strength import left
from memory_core.scoring import gain_for_rank, may_gain, reinforced

UNMOVED = (Status.PENDING, Status.REJECTED)


def repeat(known: Known, prepared: Prepared, *, source: int) -> tuple[Memory, str]:
    """Return the memory that was said again, and the event.

    The event is `unchanged` for a repetition of what waits, was rejected or was
    loaded before, `updated` if it brought new fields, else `reinforced`.
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
    values = renewals(memory, prepared)
    credit(memory, prepared, gains=gains)
    if memory.status == Status.ARCHIVED:
        transitions.activate([memory.pk], now=prepared.now)
        memory.refresh_from_db()
    if _is_better_said(memory, prepared):
        _adopt(memory, prepared, values, source=source)
    else:
        renew(memory, values, prepared)
    return memory, "updated" if values else "reinforced"


def renewals(memory: Memory, prepared: Prepared) -> dict[str, Any]:
    """Return what the fields sent with a repetition change, by column.

    The deadline said last counts, and what is said for good stays so; tags add up, and
    metadata where the memory has none of that name: they may say who said it first.
    The caller's own name is taken if the memory has none yet.
    """
    if revising.objection(memory, prepared.rank):
        return {}
    draft = prepared.draft
    is_latest = prepared.observed_at >= (memory.confirmed_at or memory.observed_at)
    values: dict[str, Any] = {
        "tags": joined(memory.tags, draft.tags, most=MOST_TAGS),
        "entities": joined(memory.entities, draft.entities, most=MOST_ENTITIES),
        "related": joined(memory.related, draft.related, most=MOST_RELATED),
        "metadata": joined_metadata(memory.metadata, draft.metadata),
        "importance": max(memory.importance, draft.importance or 0.0),
        "external_id": memory.external_id or draft.external_id,
    }
    if wants_permanent(draft):
        values["tier"] = draft.tier
    if draft.expire_at and is_latest:
        values["expire_at"] = draft.expire_at
    return revising.differing(memory, values)


def renew(memory: Memory, values: Mapping[str, Any], prepared: Prepared) -> None:
    """Set what a repetition changes, and keep what was as a version."""
    if not values:
        return
    by, now = prepared.by, prepared.now
    versions.keep_replaced(memory, event="updated", by=by, now=now)
    for name, value in values.items():
        setattr(memory, name, value)
    memory.version += 1
    memory.updated_at = now
    memory.save(update_fields=[*values, "version", "updated_at"])


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


def _adopt(
    memory: Memory, prepared: Prepared, values: Mapping[str, Any], *, source: int
) -> None:
    """Let the memory be what the more trusted, or the first, who said it said."""
    draft = prepared.draft
    versions.keep_replaced(memory, event="adopted", by=prepared.by, now=prepared.now)
    for name, value in values.items():
        setattr(memory, name, value)
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
