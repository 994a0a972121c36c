"""Which of the found texts are kept within a number of tokens."""

from memory_core.lexical import tokens_at_most

MARKUP = 4
"""Tokens of what stands around one memory in a prompt."""


def fits(texts: list[str], budget: int | None) -> list[bool]:
    """Return for each text, best first, whether it is kept within `budget` tokens.

    One that is too long is left out and a shorter one after it may still come in.
    """
    if budget is None:
        return [True] * len(texts)
    left = budget
    kept = []
    for text in texts:
        cost = tokens_at_most(text) + MARKUP
        kept.append(cost <= left)
        left -= cost if cost <= left else 0
    return kept
