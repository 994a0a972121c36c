"""Why a statement has to wait for a person, whatever is known already."""

from hashlib import blake2b

from memory_core.contracts.enums import HoldInferences, SourceKind
from memory_core.contracts.screening import Verdict
from memory_core.saving.preparing import Prepared
from memory_core.saving.provenance import may_be_permanent, wants_permanent

PERMANENT = "permanent_needs_review"
INFERENCE = "inference_held"
SAMPLED = "inference_sampled"
SENSITIVE = "sensitive_action"
SCREENING = "screening"


def reasons_to_hold(prepared: Prepared) -> tuple[str, ...]:
    """Return the codes for which a person has to decide; none means it may be active.

    `screening:<rule>` for each finding of the write filter, which judges people's
    edits too.
    """
    verdict = prepared.verdict
    reasons = list(findings(verdict))
    if prepared.by.is_person:
        return tuple(reasons)
    is_machine = prepared.origin.kind != SourceKind.USER_INPUT
    if is_machine and any(tag.startswith(SENSITIVE) for tag in verdict.tags):
        reasons.append(SENSITIVE)
    if wants_permanent(prepared.draft) and not may_be_permanent(prepared.rank):
        reasons.append(PERMANENT)
    if prepared.origin.kind == SourceKind.INFERENCE:
        reasons += _held_inference(prepared)
    return tuple(reasons)


def findings(verdict: Verdict) -> tuple[str, ...]:
    """Return the codes of the write filter's findings, if it holds the text."""
    if verdict.outcome != "hold":
        return ()
    return tuple(f"{SCREENING}:{rule}" for rule in verdict.rules) or (SCREENING,)


def _held_inference(prepared: Prepared) -> list[str]:
    if prepared.space.holds == HoldInferences.ALL:
        return [INFERENCE]
    if prepared.space.holds == HoldInferences.SAMPLE and _is_sampled(prepared):
        return [SAMPLED]
    return []


def _is_sampled(prepared: Prepared) -> bool:
    """Decided by the text, so that saying it again gives no second chance."""
    digest = blake2b(prepared.text_key, digest_size=4).digest()
    return int.from_bytes(digest, "big") / 2**32 < prepared.space.share
