"""What a finding asks for, given where the text comes from."""

from memory_core.contracts.screening import Outcome, Provenance

# These never depend on who wrote: a stored secret is a leak whoever said it.
ABSOLUTE = ("secret.", "structure.")
CLASSIFIER = "model.attack"
SURER = 1.25
"""Logits above its threshold from which the classifier alone holds a user's words.

Of 563 ordinary conversations it holds none, at 1.0 two, which somebody asks for. Of
attacks that nothing was trained on it catches 51 of 66 (en) and 40 of 62 (zh) as a
user's words, at 1.0 56 and 47, and as a tool's result 62 and 57.
"""


def outcome_for(
    rule: str, asked: Outcome, provenance: Provenance, *, margin: float = 0.0
) -> Outcome:
    """Return the outcome of one finding for a write of this provenance.

    `margin` is how far its value lies above its threshold. Users are held, not
    refused: what they say about themselves is for a person to judge. The classifier
    alone has to be surer of them, since much ordinary talk would wait otherwise, and
    of a trusted user it holds only what it would refuse of anybody else. A blocked
    source gets the strictest answer to anything.
    """
    if asked == "allow" or rule.startswith(ABSOLUTE):
        return asked
    if provenance.trust == "blocked":
        return "refuse"
    if provenance.kind != "user_input":
        return asked
    if rule == CLASSIFIER and asked == "hold":
        is_sure = margin >= SURER and not provenance.is_trusted_user
        return "hold" if is_sure else "allow"
    return "hold"
