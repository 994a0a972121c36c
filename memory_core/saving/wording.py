"""A request to forget and a memory, read so that they can be compared.

The word lists of the judge of relations give one symbol to the words of both languages
("wife", "老婆"); what no list knows is its own symbol.
"""

import re
from dataclasses import dataclass
from functools import cached_property

from memory_core.lexical.normalise import fold_width
from memory_core.saving.relation.lexicon import lexicon
from memory_core.saving.relation.normal import expand, fold
from memory_core.saving.relation.reading import Reading, read

OWNER = "~owner_word"
VAGUE = frozenset((
    "it", "that", "them", "what", "not", "thing", "stuff", "conversation", "chat",
    "talk", "说", "事", "对话", "聊天",
))  # fmt: skip
"""What says nothing about what a request is about."""
WEAK = frozenset((
    "~like", "~own", "~want", "~good", "~see", "~hear", "~often", "~all", "~eat",
    "~drink", "~speak",
))  # fmt: skip
"""Meanings that many memories have: no topic by themselves."""
HAN = re.compile(r"[\u4e00-\u9fff]")

_NOT_ON = r"(?= me (?!at|on|in|before|after|if|when|by)\b)"
_MISREAD = (
    (re.compile(r"\bam\b"), "be"),
    (re.compile(rf"\bcall(?:ed|{_NOT_ON})"), "named"),
    (re.compile(r"\bcall(?:s|ing)?\b"), "ring"),
)
"""Words that the lists take for others: 7 am, a phone call."""
_SPOUSES = {"妻": "wife", "夫": "husband", "女友": "girlfriend", "男友": "boyfriend"}
_FORMER = re.compile(rf"\b(?:ex|former)[\s-]+(?=(?:{'|'.join(_SPOUSES.values())})\b)")
_FORMER_IN_CHINESE = re.compile("前(妻|夫|女友|男友)")


@dataclass(frozen=True)
class Words:
    """A text, read: what it says and whether it speaks of the owner."""

    written: str
    text: str
    reading: Reading
    symbols: frozenset[str]
    own: bool
    chinese: bool

    @cached_property
    def topic(self) -> frozenset[str]:
        """Return what the text is about."""
        return self.symbols - WEAK - lexicon().light

    @cached_property
    def values(self) -> frozenset[str]:
        """Return the words that are values: "green", "tea"."""
        return frozenset(word for word in self.reading.words if read(word).values)


def words(text: str) -> Words:
    """Return a text as it is compared."""
    plain = expand(fold(fold_width(text)))
    for pattern, meant in _MISREAD:
        plain = pattern.sub(meant, plain)
    plain = _FORMER_IN_CHINESE.sub(
        lambda found: f" ex-{_SPOUSES[found[1]]} ", _FORMER.sub("ex-", plain)
    )
    reading = read(plain)
    return Words(
        text,
        plain,
        reading,
        frozenset(reading.symbols) - {OWNER} - VAGUE,
        OWNER in reading.symbols,
        bool(HAN.search(plain)),
    )


def is_owner(subject: str) -> bool:
    """Return whether a subject is a word for the owner."""
    return OWNER in read(subject).symbols
