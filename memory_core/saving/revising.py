"""A stored memory gets other words or fields: the id stays, the old ones are kept."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from memory_core import digests
from memory_core.contracts.callers import Actor
from memory_core.contracts.enums import Status, Tier
from memory_core.contracts.screening import Verdict
from memory_core.contracts.trust import TrustRank
from memory_core.models import Memory
from memory_core.saving import storage, versions
from memory_core.saving.decide import AGAINST_MORE_TRUSTED, AGAINST_PERMANENT
from memory_core.saving.holding import SCREENING, findings
from memory_core.saving.provenance import may_be_permanent
from memory_core.saving.texts import key_of


def objection(memory: Memory, rank: TrustRank) -> str:
    """Return why a write of this rank may not change the memory, or nothing."""
    if memory.tier == Tier.PERMANENT and not may_be_permanent(rank):
        return AGAINST_PERMANENT
    return AGAINST_MORE_TRUSTED if rank < memory.lineage_trust else ""


def _reasons_now(memory: Memory, verdict: Verdict) -> list[str]:
    """Return why the memory waits: what the filter finds now in place of then."""
    others = [
        reason
        for reason in memory.decision.get("reasons", [])
        if not reason.startswith(SCREENING)
    ]
    return [*others, *findings(verdict)]


def differing(memory: Memory, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of `values` (columns by name) that the memory does not have yet."""
    return {
        name: value for name, value in values.items() if getattr(memory, name) != value
    }


def revise(
    memory: Memory,
    values: Mapping[str, Any],
    *,
    source: int,
    rank: TrustRank,
    verdict: Verdict,
    placed: storage.Placed | None,
    event: str,
    by: Actor,
    now: datetime,
) -> None:
    """Keep what was and set `values` (columns by name); the caller has judged them.

    New words belong to whoever brings them: source, trust and, unless sent, the moment
    are theirs, and a person's earlier approval does not cover them.
    """
    versions.keep_replaced(memory, event=event, by=by, now=now)
    for name, value in values.items():
        setattr(memory, name, value)
    if is_reworded := "content" in values:
        memory.content_digest = digests.of_content(memory.content)
        memory.text_key = key_of(memory.content)
        memory.source_id, memory.lineage_trust = source, rank
        memory.observed_at = values.get("observed_at", now)
        memory.reviewed_at, memory.reviewed_by = None, ""
    memory.verdict = verdict.to_dict()
    memory.rules_version = verdict.version
    if memory.status == Status.PENDING:
        memory.decision = memory.decision | {"reasons": _reasons_now(memory, verdict)}
    memory.version += 1
    memory.updated_at = now
    storage.reindex(memory, placed=placed, keep_vectors=not is_reworded)
