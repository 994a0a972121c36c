"""The canonical view of a text: what a model would read, without disguises.

The raw bytes are kept elsewhere; this view is only ever judged, never stored.
"""

import re
import unicodedata

from memory_core.screening.tables import confusables, fold_table

_WORD = re.compile(r"[^\W\d_]+")
_BLANKS = re.compile(r"[^\S\n ]")
_WIDE = re.compile(r" {3,}")
_BREAKS = re.compile(r"\s*\n\s*")


def canonical(text: str) -> str:
    """Return the lower-case canonical view of `text`.

    NFKC, invisible characters removed, look-alike letters folded in words that mix
    scripts or consist of look-alikes only, traditional Chinese as simplified. Of wide
    gaps two blanks stay: they separate words whose letters are spaced.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text).translate(fold_table())
        text = fold_lookalikes(unicodedata.normalize("NFC", text))
    text = _WIDE.sub("  ", _BLANKS.sub(" ", text))
    text = _BREAKS.sub("\n", text)
    return text.lower().strip()


def unfolded(text: str) -> str:
    """Return what a text is once its composed signs are written out (NFKC)."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def fold_lookalikes(text: str) -> str:
    """Return the text with words of look-alike letters written in Latin ones."""
    return text if text.isascii() else _WORD.sub(_fold_word, text)


def _fold_word(match: re.Match[str]) -> str:
    word = match.group()
    table = confusables()
    if word.isascii() or not any(char in table for char in word):
        return word
    folded = "".join(table.get(char, char) for char in word)
    return folded if folded.isascii() else word
