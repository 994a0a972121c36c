"""Who said it: decided by the token, not by the body."""

from dataclasses import dataclass

from memory_core.contracts.callers import Actor, Caller
from memory_core.contracts.enums import SourceKind, Tier
from memory_core.contracts.memories import Draft
from memory_core.contracts.tokens import SPEAKS
from memory_core.contracts.trust import TrustRank, rank_of
from memory_core.saving.source_key import fold

IMPORT_SCOPE = "import"
CONFIDENCE = {
    SourceKind.USER_INPUT: 1.0,
    SourceKind.TOOL_RESULT: 0.7,
    SourceKind.IMPORT: 0.7,
    SourceKind.INFERENCE: 0.6,
}


@dataclass(frozen=True, slots=True)
class Origin:
    """The source that a write counts for; `key` is the name with aliases folded."""

    kind: SourceKind
    name: str
    key: str


def origin_of(draft: Draft, by: Actor) -> Origin:
    """Return the source of a draft as the caller's rights allow it.

    A source without a name is the agent through which it came.
    """
    kind = allowed_kind(draft.source_kind, by, imported=draft.imported is not None)
    name = draft.source_name.strip() or by.name.partition(":")[2] or by.name
    is_user = kind is SourceKind.USER_INPUT
    return Origin(kind, name, fold(name, of_user=is_user))


def allowed_kind(claimed: str, by: Actor, *, imported: bool = False) -> SourceKind:
    """Return the kind that this caller may write as.

    `user_input` without the scope becomes an inference (in an import a tool result),
    `import` without the scope a tool result. People and the system claim freely.
    """
    kind = SourceKind(claimed)
    if not isinstance(by, Caller):
        return kind
    if kind is SourceKind.USER_INPUT and not speaks_for_users(by):
        return SourceKind.TOOL_RESULT if imported else SourceKind.INFERENCE
    if kind is SourceKind.IMPORT and IMPORT_SCOPE not in by.scopes:
        return SourceKind.TOOL_RESULT
    return kind


def speaks_for_users(by: Actor) -> bool:
    """Return whether this caller may say that a user said something."""
    return not isinstance(by, Caller) or SPEAKS in by.scopes


def rank_for(kind: str, trust: str, by: Actor) -> TrustRank:
    """Return how far a write is trusted; a person's own hand ranks highest."""
    return TrustRank.PERSON if by.is_person else rank_of(kind, trust)


def subject_of(draft: Draft, origin: Origin) -> str:
    """Return whom the sentence is about: as sent, else the user who said it."""
    if draft.subject or origin.kind is not SourceKind.USER_INPUT:
        return draft.subject
    return draft.source_name.strip()


def may_be_permanent(rank: TrustRank) -> bool:
    """Return whether a write of this rank may set or change a permanent memory."""
    return rank >= TrustRank.TRUSTED_USER


def confidence_of(draft: Draft, kind: SourceKind) -> float:
    """Return the confidence in [0, 1]: as sent, else by the kind of source."""
    return CONFIDENCE[kind] if draft.confidence is None else draft.confidence


def wants_permanent(draft: Draft) -> bool:
    """Return whether the draft asks never to fade."""
    return draft.tier == Tier.PERMANENT
