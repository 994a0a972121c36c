"""How far a statement is trusted, as an order."""

from enum import IntEnum


class TrustRank(IntEnum):
    """Low to high; only an equal or higher rank may change or replace a memory."""

    TOOL_RESULT = 0
    INFERENCE = 1
    TRUSTED_MACHINE = 2
    USER_INPUT = 3
    TRUSTED_USER = 4
    PERSON = 5


def rank_of(source_kind: str, source_trust: str) -> TrustRank:
    """Return the rank of a statement by its source's kind and trust.

    An `import` counts as a tool result: its claims are settled before, by the scopes
    of the token that brings it.
    """
    trusted = source_trust == "trusted"
    if source_kind == "user_input":
        return TrustRank.TRUSTED_USER if trusted else TrustRank.USER_INPUT
    if trusted:
        return TrustRank.TRUSTED_MACHINE
    if source_kind == "inference":
        return TrustRank.INFERENCE
    return TrustRank.TOOL_RESULT
