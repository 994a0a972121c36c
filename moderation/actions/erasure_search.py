"""What is held about a person: searched for, kept as counts, counted again."""

from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from memory_core.actions import erasure
from memory_core.contracts.callers import SYSTEM
from memory_core.contracts.erasure import Mention, Preview
from moderation.actions import erasure_recipients
from moderation.actions.casework import log, step
from moderation.cases import file_of
from moderation.models import CaseState, ErasureCase

SEARCHING = (CaseState.IDENTITY_OK, CaseState.DISCOVERING)
RECOUNTED = timedelta(minutes=1)


def search(case: ErasureCase, now: datetime) -> None:
    """Search all stores and keep what was found: counts, mentions, recipients."""
    with step(case.ref, by=SYSTEM, within=SEARCHING) as row:
        row.state = CaseState.DISCOVERING
    found = erasure.preview(subject=file_of(case).subject(), by=SYSTEM)
    with step(case.ref, by=SYSTEM, within=[CaseState.DISCOVERING]) as row:
        row.preview = _frozen(found)
        note_mentions(row, found.mentions)
        erasure_recipients.note(row)
        row.state = CaseState.ASSESSING
        log(
            row,
            "searched",
            by=SYSTEM,
            now=now,
            found=sum(one.matched for one in found.counts),
            mentions=len(found.mentions),
        )


def recount(case: ErasureCase, now: datetime) -> None:
    """Note how much there is by now, for whoever approves; once a minute."""
    preview = case.preview or {}
    counted = preview.get("counted_at", "")
    if counted and now - datetime.fromisoformat(counted) < RECOUNTED:
        return
    found = erasure.preview(
        subject=file_of(case).subject(), by=SYSTEM, mentions=decided(case)
    )
    with step(case.ref, by=SYSTEM, within=[CaseState.AWAITING_APPROVAL]) as row:
        counts = {one.store: one.matched for one in found.counts}
        row.preview = {**preview, "now": counts, "counted_at": now.isoformat()}


def note_mentions(case: ErasureCase, found: tuple[Mention, ...]) -> None:
    """Put memories of others on the list of those to decide on."""
    for one in found:
        case.mentions.get_or_create(
            memory_id=one.memory_id, defaults={"matched": ",".join(sorted(one.kinds))}
        )


def decided(case: ErasureCase) -> dict[UUID, str]:
    """Return what was decided on each memory that mentions the person."""
    return dict(case.mentions.values_list("memory_id", "treatment"))


def _frozen(found: Preview) -> dict[str, Any]:
    """Return a preview as it is kept: counts and digest, no words."""
    return {
        "at": found.at.isoformat(),
        "digest": found.digest,
        "stores": [asdict(one) for one in found.counts],
    }
