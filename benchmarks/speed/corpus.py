"""Seeded sentences, half Chinese and half English, with a vector for each.

A sentence draws most of its words from one of some hundred topics and the rest from
the whole vocabulary, by Zipf's law, so that a query has near and far neighbours and
words have the frequencies of real text.
"""

import hashlib
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from memory_core.embedding import UNCALIBRATED, Calibration

DIMENSIONS = 384
VOCABULARY = 4_000
TOPICS = 400
WORDS_OF_A_TOPIC = 30
WORDS_OF_A_SENTENCE = 11
SHARE_OF_TOPIC = 0.6
OWN_SHARE = 1.5
BRAILLE = 0x2800
SYLLABLES = [f"{c}{v}" for c in "bcdfghjklmnprstvwxz" for v in "aeiou"]


class Sentences:
    """An endless, repeatable supply: the same seed gives the same sentences."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        self._words = {language: _vocabulary(language) for language in ("en", "zh")}
        rank = np.arange(1, VOCABULARY + 1)
        self._share = (1 / rank) / (1 / rank).sum()
        topics = np.random.default_rng(1)
        size = (TOPICS, WORDS_OF_A_TOPIC)
        self._topics = topics.integers(50, VOCABULARY, size=size)

    def take(self, count: int, *, words: int = WORDS_OF_A_SENTENCE) -> list[str]:
        """The next `count` sentences of `words` words."""
        return [self._sentence(words) for _ in range(count)]

    def _sentence(self, words: int) -> str:
        random = self._random
        topic = self._topics[random.integers(TOPICS)]
        near = topic[random.integers(WORDS_OF_A_TOPIC, size=words)]
        far = random.choice(VOCABULARY, size=words, p=self._share)
        chosen = np.where(random.random(words) < SHARE_OF_TOPIC, near, far)
        language = "zh" if random.random() < 0.5 else "en"
        joint = "" if language == "zh" else " "
        return joint.join(self._words[language][at] for at in chosen)


def without_words(text: str) -> str:
    """Return `text` in Braille cells: for the seeded embedder the same, for words none.

    A recall of it is one by vectors alone.
    """
    return "".join(chr(BRAILLE + byte) for byte in text.encode())


def _plain(text: str) -> str:
    if not text or not BRAILLE <= ord(text[0]) < BRAILLE + 256:
        return text
    return bytes(ord(cell) - BRAILLE for cell in text).decode()


class SeededEmbedder:
    """Vectors from digests of words and word pairs: no model, the same on every run."""

    name = "seeded"
    dimensions = DIMENSIONS
    calibration: Calibration = UNCALIBRATED

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self.embed_passages(texts)

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if not texts:
            return np.empty((0, DIMENSIONS), np.float32)
        rows = np.stack([_sum_of_parts(_plain(text)) for text in texts])
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return rows.astype(np.float32)


def _sum_of_parts(text: str) -> NDArray[np.float64]:
    parts = (
        text.split(" ")
        if text.isascii()
        else [text[at : at + 2] for at in range(0, len(text), 2)]
    )
    return np.sum([_direction(part) for part in parts], axis=0) + _own(text)


def _own(text: str) -> NDArray[np.float64]:
    """Something of its own for every sentence."""
    return OWN_SHARE * _seeded(text)


@cache
def _direction(part: str) -> NDArray[np.float64]:
    return _seeded(part)


def _seeded(text: str) -> NDArray[np.float64]:
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    random = np.random.default_rng(int.from_bytes(digest, "big"))
    return random.standard_normal(DIMENSIONS)


@cache
def _vocabulary(language: str) -> list[str]:
    random = np.random.default_rng(2)
    if language == "zh":
        characters = random.choice(np.arange(0x4E00, 0x9FA5), 900, replace=False)
        pairs = random.choice(characters, size=(VOCABULARY, 2))
        return ["".join(map(chr, pair)) for pair in pairs]
    counts = random.integers(2, 4, size=VOCABULARY)
    return ["".join(random.choice(SYLLABLES, size=count)) for count in counts]
