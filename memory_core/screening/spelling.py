"""Words known to the filter: to undo spacing, leet, rot13 and reversed writing."""

import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from math import inf

_LONGEST = 16
_UNKNOWN_COST = 14.0  # per letter, against 1 to 12 for a known word
_WORD = re.compile("[a-z]{3,}")
_ANY_WORD = re.compile("[a-z]+")
_HAN_PAIR = re.compile("(?=([\u4e00-\u9fff]{2}))")


@cache
def vocabulary() -> dict[str, int]:
    """Return common English words and Chinese character pairs with their rank."""
    text = files(__package__).joinpath("data", "vocabulary.txt").read_text("utf-8")
    return {word: rank for rank, word in enumerate(text.split())}


def segment(letters: str) -> str:
    """Return a run of letters with the likeliest spaces put back.

    Viterbi over the vocabulary with a cost that grows with the rank of a word.
    """
    known, totals, starts = costs(), [0.0], [0]
    for end in range(1, len(letters) + 1):
        lowest, chosen = inf, 0
        for start in range(max(0, end - _LONGEST), end):
            cost = known.get(letters[start:end])
            if cost is None:
                cost = _UNKNOWN_COST * (end - start)
            if (total := totals[start] + cost) < lowest:
                lowest, chosen = total, start
        totals.append(lowest)
        starts.append(chosen)
    words: list[str] = []
    end = len(letters)
    while end:
        start = starts[end]
        words.append(letters[start:end])
        end = start
    return " ".join(reversed(words))


def is_known(word: str) -> bool:
    """Return whether a lower-case word is in the vocabulary."""
    return word in vocabulary()


def known_share(text: str) -> float:
    """Return which share of a text's words and character pairs is known, 0 to 1."""
    units = _WORD.findall(text) + _HAN_PAIR.findall(text)
    if not units:
        return 0.0
    return sum(unit in vocabulary() for unit in units) / len(units)


def respelled(text: str, change: Callable[[str], str]) -> str | None:
    """Return the text with its unknown words changed, if that makes words known.

    None if fewer than two become known, or fewer than half of the unknown ones: that
    may be chance.
    """
    unknown = [word for word in _WORD.findall(text) if not is_known(word)]
    gained = sum(is_known(change(word)) for word in unknown)
    if gained < 2 or gained * 2 < len(unknown):
        return None
    return _ANY_WORD.sub(
        lambda m: m.group() if is_known(m.group()) else change(m.group()), text
    )


@cache
def costs() -> dict[str, float]:
    """Return what each known word of Latin letters costs."""
    return {
        word: 2.0 + (rank + 1).bit_length()
        for word, rank in vocabulary().items()
        if len(word) <= _LONGEST and word.isascii()
    }
