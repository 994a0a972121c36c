"""News wrapped in talk: the clauses of a statement that tell of its owner's matters.

"Oh by the way, we packed everything up and are living in Dortmund these days" says of
several things one that an older statement says too, in a clause of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory_core.saving.relation.normal import expand, fold
from memory_core.saving.relation.reading import LIMIT, Reading, read

MOST = 4
_SHORTEST = 2
_NEWS = frozenset(("change", "now", "correction"))
_TITLE = r"(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bSt)(?<!\bMrs)(?<!\bProf)"
_BOUND = re.compile(
    rf"[,;:!?]\s+|{_TITLE}\.\s+|\s+[-\u2013\u2014]+\s+|[，；：！？。\n]+"
    r"|\s+(?=(?:so|but|because|and)\s)"
)
_JOINER = re.compile(
    r"(?:so|but|because|and)\s+|所以|因此|但是?|可是|不过|而且|然后", re.I
)
_PRONOUN = re.compile(
    r"\b(?P<own>i|we|my|our|mine|ours)\b|\b(?:he|she|they|his|her|their)\b"
    r"|(?P<zh>我|咱|俺)|[他她它]"
)
_START = 24  # characters in which a clause names whom it is about


@dataclass(frozen=True)
class Clause:
    """A clause and what it says by itself."""

    text: str
    reading: Reading


def clauses(text: str) -> list[Clause]:
    """The first few clauses of a text that bring news of the owner's matters.

    None where the text is one clause. What begins with a relative or friend, or with
    somebody who is only pointed at ("she", 他), is not the owner's, nor is what follows
    until a clause names the owner again.
    """
    parts = [_without_joiner(part) for part in _BOUND.split(text[:LIMIT]) if part]
    return list(_of_owner(parts))[:MOST] if len(parts) > 1 else []


def _without_joiner(part: str) -> str:
    joiner = _JOINER.match(part)
    return part[joiner.end() :] if joiner else part


def _of_owner(parts: list[str]) -> Iterator[Clause]:
    of_other = False
    for part in parts:
        reading, who = read(part), _who(part)
        if reading.bearer:
            of_other = True
        elif who == "own":
            of_other = False
        if not of_other and who != "other" and _brings_news(reading):
            yield Clause(part, reading)


def _brings_news(reading: Reading) -> bool:
    says = len(reading.symbols) >= _SHORTEST and "asks" not in reading.cues
    return says and bool(reading.cues & _NEWS)


def _who(part: str) -> str:
    """Whom the first pronoun near the start means: "own", "other" or "" for none."""
    found = _PRONOUN.search(expand(fold(part))[:_START])
    if not found:
        return ""
    return "own" if found["own"] or found["zh"] else "other"
