"""The vocabulary that undoes disguises: common words and Chinese character pairs."""

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from memory_core.screening.training.rows import AUTHORED, Row

_WORDS, _PAIRS = 9_000, 6_000  # at most so many
_SEEN = 3  # texts
_WORD = re.compile("[a-z]{1,16}")
_ADDRESS = re.compile(
    r"\S*(?:://|@|www\.)\S+|\S+\.(?:com|org|net|io|cn|test|example)\b\S*"
)
_PAIR = re.compile("(?=([\u4e00-\u9fff]{2}))")
# Of one and two letters only real words, of three only frequent ones: segmentation
# would otherwise cut long words into them.
_SHORT = frozenset(
    {
        "a", "i", "an", "as", "at", "be", "by", "do", "go", "he", "if", "in", "is",
        "it", "me", "my", "no", "of", "on", "or", "so", "to", "up", "us", "we", "am",
        "ai", "id", "ip", "ui", "os", "pc", "tv",
    }
)  # fmt: skip
_FREQUENT = 12


def vocabulary_of(rows: Iterable[Row]) -> list[str]:
    """Return English words, then character pairs, each by falling frequency."""
    words: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    for row in rows:
        if row.kind.startswith("obfuscat"):
            continue
        weight = _SEEN if row.source == AUTHORED else 1
        text = _ADDRESS.sub(" ", row.text.lower())
        words.update(dict.fromkeys(_WORD.findall(text), weight))
        pairs.update(dict.fromkeys(_PAIR.findall(text), weight))
    english = [word for word, count in words.most_common() if _is_word(word, count)]
    chinese = [pair for pair, count in pairs.most_common(_PAIRS) if count >= _SEEN]
    return english[:_WORDS] + chinese


def save_vocabulary(rows: Iterable[Row], path: Path) -> None:
    """Write the vocabulary of the rows, one entry a line."""
    path.write_text("\n".join(vocabulary_of(rows)) + "\n", encoding="utf-8")


def _is_word(word: str, count: int) -> bool:
    if len(word) < 3:
        return word in _SHORT
    return count >= (_FREQUENT if len(word) == 3 else _SEEN)
