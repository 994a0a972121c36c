"""Slot comparison: two statements with the same wording except for one span.

"My dentist is Dr. Patel" and "My dentist is Dr. Novak" name another filler of a place
that has one; "I play the violin" and "I play the drums" do not. The frame is compared
word by word (Chinese: sign by sign), with all the small words that meanings leave out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache

from memory_core.saving.relation.lexicon import lexicon, word_list
from memory_core.saving.relation.reading import ATOM, Reading

MOST_TOKENS = 32
_LONGEST_FILLER = 7
_MOST_SWAPS = 4


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(word_list("frames.toml")["frame"][name].split())


@dataclass(frozen=True)
class Parting:
    """Where two token lists part: shared starts and ends, and what stands between."""

    start: Sequence[str]
    end: Sequence[str]
    old: Sequence[str]
    new: Sequence[str]

    @property
    def is_filler(self) -> bool:
        """Whether both have something short between, in a frame that holds it."""
        fits = all(0 < len(part) <= _LONGEST_FILLER for part in (self.old, self.new))
        return fits and len(self.start) >= 1 and len(self.start) + len(self.end) >= 2


@dataclass(frozen=True)
class Frame:
    """What two statements share: a named place with its bearer, or none.

    ``has_one`` says that the place has one filler at a time, ``several`` that the
    bearer is one of several, ``verb_differs`` that just one filler brings a verb.
    """

    parting: Parting
    is_filled: bool
    is_named: bool
    has_one: bool
    several: bool
    verb_differs: bool
    acts: bool


def compare_frames(old: Reading, new: Reading) -> dict[str, float]:
    """Features of the frame that two statements share, by name; 0 without one."""
    frame = _frame(part(old.tokens, new.tokens))
    parting = frame.parting
    found = {
        "frame_filler": float(frame.is_filled),
        "frame_start": min(len(parting.start), 8) / 8,
        "frame_end": min(len(parting.end), 8) / 8,
        "frame_swaps": _swaps(parting) / _MOST_SWAPS,
        "frame_named": float(frame.is_named),
        "frame_one": float(frame.has_one),
        "frame_owner": float(
            frame.is_named and not frame.has_one and not frame.several
        ),
        "frame_several": float(frame.several),
        "frame_verb_differs": float(frame.is_filled and frame.verb_differs),
        "frame_acts": float(frame.acts),
    }
    return found | _fillers(frame, old, new)


def _frame(parting: Parting) -> Frame:
    names = (lexicon().copulas | _words("naming")) - _words("place")
    in_old, in_new = _any(parting.old, names), _any(parting.new, names)
    is_filled = parting.is_filler and not (in_old and in_new)
    place = _place(parting, names) if is_filled else None
    subject = parting.start[:place] if place is not None else ()
    of_owner = bool(subject) and all(token in _words("owner") for token in subject)
    calls = place is not None and parting.start[place] in _words("naming")
    several = _any(subject, _words("several"))
    is_named = place is not None and in_old == in_new
    return Frame(
        parting,
        is_filled,
        is_named,
        has_one=is_named and (calls or not of_owner) and not several,
        several=several,
        verb_differs=in_old != in_new,
        acts=is_filled and place is None,
    )


def _fillers(frame: Frame, old: Reading, new: Reading) -> dict[str, float]:
    """How the two fillers of a place are alike; 0 without a place."""
    names = ("at", "with", "unknown", "small_differs", "proper", "uneven")
    if not frame.is_filled:
        return {f"frame_{name}": 0.0 for name in names}
    parting = frame.parting
    values = (
        float(parting.start[-1] in _words("place")),
        float(parting.start[-1] in _words("companion")),
        _unknown(old, new),
        float(_small_differs(parting, old, new)),
        _both(parting, old, new),
        _uneven(parting),
    )
    return {f"frame_{name}": v for name, v in zip(names, values, strict=True)}


def part(old: Sequence[str], new: Sequence[str]) -> Parting:
    """The parting of two token lists; the start is measured first."""
    limit = min(len(old), len(new))
    start = 0
    while start < limit and old[start] == new[start]:
        start += 1
    end = 0
    while end < limit - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return Parting(
        old[:start],
        old[len(old) - end :],
        old[start : len(old) - end],
        new[start : len(new) - end],
    )


def _place(parting: Parting, names: frozenset[str]) -> int | None:
    """Where in a frame's start the word stands that joins a name to its bearer."""
    start = parting.start
    if _stands_at(parting):
        return len(start) - 1
    stop = lexicon().stop
    for at in range(len(start) - 1, 0, -1):
        token = start[at]
        if token in names:
            return at
        if not (
            token in stop or token in _words("before_filler") or token.startswith(ATOM)
        ):
            is_sign = len(token) == 1 and not token.isascii()
            if not (is_sign and at == len(start) - 1):  # 我叫李...: a shared surname
                return None
    return None


def _stands_at(parting: Parting) -> bool:
    """Whether the frame says where something is: "公司在 ..."."""
    start = parting.start
    if parting.end or len(start) < 3 or start[-1] != "在":
        return False
    return start[-2] not in _words("verb_before_place")


def _any(tokens: Sequence[str], names: frozenset[str]) -> bool:
    return any(token in names for token in tokens)


def _small_differs(parting: Parting, old: Reading, new: Reading) -> bool:
    """Whether just one filler begins with a small word ("at the ...", "very")."""
    one, other = parting.old[0], parting.new[0]
    stop = lexicon().stop
    return (one in stop - old.proper) != (other in stop - new.proper)


def _both(parting: Parting, old: Reading, new: Reading) -> float:
    """1 if both fillers have a name or figure in them, -1 if just one, else 0."""
    one = any(token in old.proper for token in parting.old)
    other = any(token in new.proper for token in parting.new)
    return 1.0 if one and other else -float(one != other)


def _uneven(parting: Parting) -> float:
    one, other = len(parting.old), len(parting.new)
    return abs(one - other) / max(one, other)


def _unknown(old: Reading, new: Reading) -> float:
    """1 if each has a word of its own that no list knows, -1 if just one, else 0."""
    one, other = old.unknown - new.unknown, new.unknown - old.unknown
    return 1.0 if one and other else -float(bool(one) != bool(other))


def _swaps(parting: Parting) -> int:
    """How many places differ, up to ``_MOST_SWAPS``; long texts differ in many.

    A single Chinese sign that two fillers share by chance does not part a place,
    unless it is one of the small words.
    """
    old, new = parting.old, parting.new
    if max(len(old), len(new)) > MOST_TOKENS:
        return _MOST_SWAPS
    if not old and not new:
        return 0
    stop = lexicon().stop
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    shared = [
        block
        for block in matcher.get_matching_blocks()
        if block.size > 1
        or (block.size and (old[block.a].isascii() or old[block.a] in stop))
    ]
    return min(_MOST_SWAPS, 1 + len(shared))
