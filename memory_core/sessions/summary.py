"""A short summary made of the user's own sentences."""

import re
from collections import Counter
from collections.abc import Sequence

from memory_core.lexical import asks, terms, tokens_at_most

LONGEST = 160
"""Tokens of a summary."""
LONGEST_SENTENCE = 60
QUESTION = 0.5
"""What a sentence counts that only asks."""

_END = re.compile(r"(?<=[.!?。！？；;])\s*|\n+")


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, without those that are empty."""
    return [part.strip() for part in _END.split(text) if part and part.strip()]


def summarised(before: str, said: Sequence[str]) -> str:
    """Return the summary after more was said: the sentences that carry the most.

    A sentence weighs what the others say of the same (the mean over its terms of how
    many sentences have the term), so that what a conversation is about stays. The
    order is that in which they were said.
    """
    found = [*before.split("\n"), *(one for text in said for one in sentences(text))]
    distinct = [one for one in dict.fromkeys(found) if one]
    short = [one for one in distinct if tokens_at_most(one) <= LONGEST_SENTENCE]
    bags = [set(terms(sentence).counts) for sentence in short]
    spread = Counter(term for bag in bags for term in bag)
    weights = [
        _weight(sentence, bag, spread)
        for sentence, bag in zip(short, bags, strict=True)
    ]
    best = sorted(range(len(short)), key=lambda at: -weights[at])
    left, taken = LONGEST, []
    for at in best:
        price = tokens_at_most(short[at]) + 1
        if price <= left:
            left -= price
            taken.append(at)
    return "\n".join(short[at] for at in sorted(taken))


def _weight(sentence: str, bag: set[str], spread: Counter[str]) -> float:
    if not bag:
        return 0.0
    shared = sum(spread[term] for term in bag) / len(bag)
    return shared * (QUESTION if asks(sentence) else 1.0)
