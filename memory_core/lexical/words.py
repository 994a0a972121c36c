"""Text -> terms, for the postings of a memory and for the words of a query."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime

from memory_core.lexical.dates import moment_terms, take_dates
from memory_core.lexical.names import strip_names
from memory_core.lexical.normalise import fold_case, fold_width
from memory_core.lexical.stems import stem
from memory_core.lexical.stopwords import CHINESE, ENGLISH

MAX_TERM = 40
"""Characters of one term; longer words (a pasted blob) keep their beginning."""
MAX_TERMS = 8_192
"""Different terms of one text. 8,000 characters of Chinese prose have about 6,000."""

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
MARKS = "\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0dff"
"""Vowel signs of Hebrew, Arabic and the Indic scripts: parts of words, no letters."""

_LETTER = rf"(?:[^\W\d_{UNSPACED}]|[{MARKS}])"
TOKEN = re.compile(
    rf"(?P<run>[{UNSPACED}]+)"
    r"|(?P<number>[0-9]+(?:[.,:][0-9]+)*)"
    rf"|(?P<word>{_LETTER}+(?:'{_LETTER}+)?)"
)


@dataclass(frozen=True, slots=True)
class Terms:
    """How often each term occurs, and how many occurrences there are in all."""

    counts: dict[str, int]
    length: int


def terms(text: str, moment: datetime | date | None = None) -> Terms:
    """The terms of a memory, with the dates of its text and of `moment`.

    Chinese and other scripts without spaces give single characters and pairs, other
    scripts folded and stemmed words, numbers as written. Time is linear in the text.
    """
    found = list(_all_terms(text, with_month=True))
    if moment is not None:
        found += moment_terms(moment)
    return _counted(found)


def query_terms(text: str, drop_names: Iterable[str] = ()) -> Terms:
    """The terms of a query, `drop_names` left out unless nothing else is said."""
    return _counted(_all_terms(strip_names(text, drop_names), with_month=False))


def _counted(found: Iterable[str]) -> Terms:
    counts: Counter[str] = Counter()
    for term in found:
        if term in counts or len(counts) < MAX_TERMS:
            counts[term] += 1
    return Terms(dict(counts), counts.total())


def _all_terms(text: str, *, with_month: bool) -> Iterator[str]:
    folded, dates = take_dates(fold_case(fold_width(text)), with_month=with_month)
    yield from dates
    for token in TOKEN.finditer(folded):
        value = token.group()
        if token.lastgroup == "run":
            yield from _grams(value)
        elif token.lastgroup == "number":
            yield value[:MAX_TERM]
        elif value not in ENGLISH:
            yield stem(value[:MAX_TERM].removesuffix("'s"))


def _grams(run: str) -> Iterator[str]:
    yield from (character for character in run if character not in CHINESE)
    yield from (run[at : at + 2] for at in range(len(run) - 1))
