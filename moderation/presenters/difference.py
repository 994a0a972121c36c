"""What two texts have in common and what each has for itself, in marked pieces.

The longest common subsequence of their words, in time and memory that are bounded
whatever the texts: a page shows several of them.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, takewhile

import numpy as np

MOST = 2500
"""Parts of a text that are compared each with each: 12 MB and some 50 ms at most."""

WORDS = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"  # each sign is a word
    r"|[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|\s+|[^\w\s]"
)
SENTENCES = re.compile(r"[^.!?。！？\n]+[.!?。！？\n]*|[.!?。！？\n]+")

Piece = tuple[str, str]


def difference(old: str, new: str) -> list[Piece]:
    """Return pieces of both texts as (`same`, `gone` or `come`, text).

    By words; where what differs has too many of them by sentences, and as a whole
    where even these are too many.
    """
    a, b = WORDS.findall(old), WORDS.findall(new)
    start = _in_common(a, b)
    end = _in_common(a[start:][::-1], b[start:][::-1])
    before, after = "".join(a[:start]), "".join(a[len(a) - end :])
    between = _between(a[start : len(a) - end], b[start : len(b) - end])
    return _joined([("same", before), *between, ("same", after)])


def _in_common(a: list[str], b: list[str]) -> int:
    """Return how many words both begin with."""
    pairs = zip(a, b, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _between(a: list[str], b: list[str]) -> Iterator[Piece]:
    if max(len(a), len(b)) <= MOST:
        return _aligned(a, b)
    old, new = "".join(a), "".join(b)
    a, b = SENTENCES.findall(old), SENTENCES.findall(new)
    if max(len(a), len(b)) <= MOST:
        return _aligned(a, b)
    return iter([("gone", old), ("come", new)])


def _aligned(a: Sequence[str], b: Sequence[str]) -> Iterator[Piece]:
    """Yield the parts of both in order, along a longest common subsequence."""
    left = _lengths(a, b)
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            yield "same", a[i]
            i, j = i + 1, j + 1
        elif left[i + 1, j] >= left[i, j + 1]:
            yield "gone", a[i]
            i += 1
        else:
            yield "come", b[j]
            j += 1
    yield from (("gone", part) for part in a[i:])
    yield from (("come", part) for part in b[j:])


def _lengths(a: Sequence[str], b: Sequence[str]) -> np.ndarray:
    """Return how long the longest common subsequence of a[i:] and b[j:] is."""
    numbers = {part: number for number, part in enumerate({*a, *b})}
    theirs = np.array([numbers[part] for part in b], dtype=np.int16)
    left = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int16)
    for i in range(len(a) - 1, -1, -1):
        met = left[i + 1, 1:] + (theirs == numbers[a[i]])
        best = np.maximum(left[i + 1, :-1], met)
        left[i, :-1] = np.maximum.accumulate(best[::-1])[::-1]
    return left


def _joined(pieces: Sequence[Piece]) -> list[Piece]:
    """Return neighbours of one kind as one piece; between two that stay, gone first."""
    joined: list[Piece] = []
    for is_same, run in groupby(pieces, key=lambda piece: piece[0] == "same"):
        found = list(run)
        for kind in ("same",) if is_same else ("gone", "come"):
            if text := "".join(one for what, one in found if what == kind):
                joined.append((kind, text))
    return joined
