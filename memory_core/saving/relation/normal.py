"""Text folded so that spelling variants of one sentence become one key."""

from __future__ import annotations

import re
import unicodedata

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"

_JOINERS = "._:/@&'-"
_AFTER_CHARACTER = "+#%\u2030"
_BESIDE_CJK = re.compile(rf"\s+(?=[{CJK}])|(?<=[{CJK}])\s+")
_SPACES = re.compile(r"\s+")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_QUOTES = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201b\u2032", "'")
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\ufe63", "-")
)
BARE_FRACTION = re.compile(r"(?<![\w.])\.(?=\d)")
_LOOSE_PERCENT = re.compile(r"(?<=\d)\s+(?=[%\u2030])")
_GRADE = re.compile(r"(?<![\w'-])(?:ab|[a-fo])$")

_CONTRACTIONS = (
    (re.compile(r"\bcan't\b|\bcannot\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"'m\b"), " am"),
    (re.compile(r"'re\b"), " are"),
    (re.compile(r"'ve\b"), " have"),
    (re.compile(r"'ll\b"), " will"),
    (re.compile(r"'d\b"), " would"),
    (re.compile(r"'s\b"), ""),
)


def fold(text: str) -> str:
    """The text in NFKC and folded case, plain apostrophes, no invisible characters."""
    folded = unicodedata.normalize("NFKC", text.translate(_QUOTES)).casefold()
    if folded.isascii():
        return folded
    return "".join(c for c in folded if unicodedata.category(c) != "Cf")


def expand(folded: str) -> str:
    """Folded English with its contractions written out; 's is dropped."""
    if "'" not in folded and "cannot" not in folded:
        return folded
    for pattern, full in _CONTRACTIONS:
        folded = pattern.sub(full, folded)
    return folded


def normalise(text: str) -> str:
    """The key under which texts count as equal.

    Case, width, spacing and punctuation do not matter; what a mark adds to a number
    or a name stays ("3.9", "-5", "C++", "a@b.org"), and so does a question mark at
    the end, since a question states nothing.
    """
    folded = BARE_FRACTION.sub("0.", _THOUSANDS.sub("", fold(text)))
    folded = _LOOSE_PERCENT.sub("", folded)
    asks = folded.rstrip("\"')] \u201d\u300d").endswith("?")
    kept = "".join(_kept(folded, i) for i in range(len(folded)))
    joined = _BESIDE_CJK.sub("", _SPACES.sub(" ", kept).strip())
    return joined + "?" if asks and joined else joined


def _kept(folded: str, i: int) -> str:
    """The character at ``i``, or what stands for it in the key."""
    char = folded[i]
    if char in "~`":
        return " "
    if not unicodedata.category(char).startswith("P"):
        return char
    before = folded[i - 1] if i else " "
    after = folded[i + 1] if i + 1 < len(folded) else " "
    if before.isalnum() and char in _AFTER_CHARACTER:
        return char
    if after.isalnum() and char in "#@":
        return char
    if char == "'":
        return "" if before.isalnum() and after.isalnum() else " "
    if char == "-" and _is_sign(folded, i):
        return char
    beside = (before + after).isascii() and before.isalnum() and after.isalnum()
    return char if beside and char in _JOINERS and char != "-" else " "


def _is_sign(folded: str, i: int) -> bool:
    """Whether the hyphen at ``i`` is a minus: "-5", "-$5", "设为-5", "AB-", "6-3"."""
    before = folded[i - 1] if i else " "
    after = folded[i + 1 : i + 3]
    if before.isascii() and before.isalpha():
        return bool(_GRADE.search(folded, 0, i)) and not after[:1].isalnum()
    return after[:1].isdigit() or (after[:1] in "$€£¥" and after[1:].isdigit())
