"""Many small patterns searched at once, by the characters with which they begin."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

_LEAD = re.compile(r"(?:\\b)?([^\W\d_]{1,2})")
_GROUP = re.compile(r"(?:\\b)?\(\?:((?:[^\W_]|[ |-])+)\)")


@dataclass(frozen=True)
class Spotter:
    """Finds which named patterns occur in a text.

    Alternatives whose first characters are known are tried only where these stand, in
    Latin script at the start of a word; the others are searched, one by name.
    """

    by_first: Mapping[str, tuple[tuple[str, re.Pattern[str]], ...]]
    anywhere: tuple[tuple[str, re.Pattern[str]], ...]

    def spot(self, text: str) -> set[str]:
        """The names of the patterns that match somewhere in folded text."""
        found: set[str] = set()
        inside = False
        for at, char in enumerate(text):
            latin = "a" <= char <= "z"
            if not (latin and inside):
                for key in (char, text[at : at + 2]):
                    for name, pattern in self.by_first.get(key, ()):
                        if name not in found and pattern.match(text, at):
                            found.add(name)
            inside = latin
        for name, pattern in self.anywhere:
            if name not in found and pattern.search(text):
                found.add(name)
        return found


def spotter(patterns: Mapping[str, str]) -> Spotter:
    """A spotter of regular expressions, given by name."""
    first: dict[str, dict[str, list[str]]] = {}
    rest: dict[str, list[str]] = {}
    for name, pattern in patterns.items():
        for alternative in alternatives(pattern):
            starts = _starts(alternative)
            for char in starts:
                first.setdefault(char, {}).setdefault(name, []).append(alternative)
            if not starts:
                rest.setdefault(name, []).append(alternative)
    return Spotter(
        {char: tuple(_compiled(named)) for char, named in first.items()},
        tuple(_compiled(rest)),
    )


def _compiled(named: Mapping[str, list[str]]) -> Iterator[tuple[str, re.Pattern[str]]]:
    for name, found in named.items():
        yield name, re.compile("|".join(found))


def alternatives(pattern: str) -> list[str]:
    """The parts of a pattern between bars that stand outside any bracket."""
    parts, depth, start, escaped, in_set = [], 0, 0, False, False
    for i, char in enumerate(pattern):
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = True
        elif in_set:
            in_set = char != "]"
        elif char == "[":
            in_set = True
        elif char in "()":
            depth += 1 if char == "(" else -1
        elif char == "|" and depth == 0:
            parts.append(pattern[start:i])
            start = i + 1
    return [*parts, pattern[start:]]


def _starts(alternative: str) -> Iterable[str]:
    """One or two characters with which a match begins; none if that is unclear."""
    lead = _LEAD.match(alternative)
    if lead:
        return _sure(lead[1], alternative[lead.end() :])
    group = _GROUP.match(alternative)
    if group and alternative[group.end() : group.end() + 1] not in _REPEATS:
        return {option[:2] for option in group[1].split("|") if option}
    return ()


_REPEATS = ("?", "*", "{")


def _sure(letters: str, rest: str) -> Iterable[str]:
    if rest[:1] in _REPEATS:
        letters = letters[:-1]
    return (letters,) if letters else ()
