"""Words that exclude each other: two statements that differ in them disagree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Protocol

from memory_core.saving.relation.lexicon import Entry, Index, indexed, longest, phrase

_FILE = Path(__file__).parent / "words" / "opposites.txt"
_REVERSING = ("un", "dis", "in", "im", "ir", "non", "de")
_SHORTEST = 3

Signs = Mapping[str, int]


class _Token(Protocol):
    stem: str
    said: int


@cache
def _pairs() -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """Opposites as the stems under which text will show them."""
    lines = _FILE.read_text(encoding="utf-8").splitlines()
    rows = [line.partition(":") for line in lines if not line.startswith("#")]
    return tuple(
        (phrase(word), phrase(other))
        for word, _, others in rows
        for other in others.split()
    )


@cache
def _opposites() -> dict[str, frozenset[str]]:
    """Opposites by word, in both directions."""
    found: dict[str, set[str]] = {}
    for one, other in _pairs():
        found.setdefault("".join(one), set()).add("".join(other))
        found.setdefault("".join(other), set()).add("".join(one))
    return {word: frozenset(others) for word, others in found.items()}


@cache
def _index() -> Index:
    words = dict.fromkeys(word for pair in _pairs() for word in pair)
    return indexed(Entry(word, "".join(word)) for word in words)


def said_words(tokens: Sequence[_Token]) -> dict[str, int]:
    """Words with their polarity, 1 or -1: known ones whole, other tokens alone."""
    found: dict[str, int] = {}
    stems, at = [token.stem for token in tokens], 0
    while at < len(tokens):
        entry = longest(_index(), stems, at)
        size = len(entry.tokens) if entry else 1
        found.setdefault(entry.symbol if entry else stems[at], tokens[at].said)
        at += size
    return found


def opposition(old: Signs, new: Signs) -> tuple[int, int]:
    """How often words that exclude each other are meant, and how often just not.

    "keep" and "throw away" disagree; "keep" and "do not throw away" agree. A word
    that both have tells nothing.
    """
    disagreed = agreed = 0
    only_new = new.keys() - old.keys()
    for word in old.keys() - new.keys():
        for other in _opposed(word, only_new):
            if old[word] == new[other]:
                disagreed += 1
            else:
                agreed += 1
    return disagreed, agreed


def _opposed(word: str, others: Iterable[str]) -> Iterator[str]:
    known = _opposites().get(word, frozenset())
    for other in others:
        if other in known or _reverses(word, other) or _reverses(other, word):
            yield other


def _reverses(word: str, other: str) -> bool:
    if len(word) < _SHORTEST or not other.isascii() or not other.endswith(word):
        return False
    return other[: -len(word)] in _REVERSING
