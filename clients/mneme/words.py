"""Text to terms, and BM25 over them, for the two local back ends."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

# Han, kana, hangul: written without spaces between words, or with particles attached.
_CJK = (
    "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
    "\U00020000-\U0003ffff"
)
_RUNS = re.compile(f"[{_CJK}]+|[^\\W_{_CJK}]+")
_FIRST_CJK = 0x3040

_STOP = frozenset(
    (
        *("a", "an", "and", "are", "as", "at", "be", "by", "do", "for", "from", "has"),
        *("have", "he", "i", "in", "is", "it", "me", "my", "of", "on", "or", "she"),
        *("that", "the", "they", "this", "to", "was", "we", "what", "who", "with"),
        *("you", "your", *"的了是我你他她它们在有和与吗呢吧么什这那就都也"),
    )
)

K1, B = 0.9, 0.4  # BM25 for short texts
MAX_TERMS = 4_000  # of one text


def terms(text: str) -> list[str]:
    """Return the terms of a text in order.

    Chinese, Japanese and Korean runs give single characters and pairs; other words
    are folded (case, accents, a plural s). Words without meaning are left out.
    """
    found: list[str] = []
    for run in _RUNS.findall(unicodedata.normalize("NFKC", text).casefold()):
        found.extend(_pairs(run) if ord(run[0]) >= _FIRST_CJK else [_folded(run)])
        if len(found) > MAX_TERMS:
            break
    return [term for term in found[:MAX_TERMS] if term not in _STOP]


def text_key(text: str) -> str:
    """Return what is equal for texts that differ in case, width or end marks only."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(folded.split()).rstrip(".!?。…~ ")


def relevance(
    query: Sequence[str],
    documents: Sequence[Counter[str]],
    *,
    total: int,
    mean_length: float,
) -> list[float]:
    """Return for each document how much of the query it covers, in [0, 1].

    BM25 (Robertson and Zaragoza 2009) divided by the highest value the query could
    reach. `documents` are all that hold a term of the query, `total` counts all of
    the owner's, so that document frequencies are those of this owner.
    """
    wanted = set(query)
    weights = {
        term: _idf(sum(term in document for document in documents), total)
        for term in wanted
    }
    highest = sum(weights.values()) * (K1 + 1)
    if not highest:
        return [0.0] * len(documents)
    return [
        sum(
            weights[term] * _saturation(document[term], document.total(), mean_length)
            for term in wanted
            if term in document
        )
        / highest
        for document in documents
    ]


def _idf(frequency: int, total: int) -> float:
    return math.log(1 + (total - frequency + 0.5) / (frequency + 0.5))


def _saturation(count: int, length: int, mean_length: float) -> float:
    norm = 1 - B + B * length / (mean_length or 1)
    return count * (K1 + 1) / (count + K1 * norm)


def _pairs(run: str) -> list[str]:
    return [*run, *(run[at : at + 2] for at in range(len(run) - 1))]


def _folded(word: str) -> str:
    plain = word if word.isascii() else _without_accents(word)
    plural = len(plain) > 3 and plain.endswith("s") and not plain.endswith("ss")
    return plain[:-1] if plural else plain


def _without_accents(word: str) -> str:
    return "".join(
        letter
        for letter in unicodedata.normalize("NFD", word)
        if not unicodedata.combining(letter)
    )
