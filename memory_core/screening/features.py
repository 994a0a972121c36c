"""Features for the linear classifier: n-grams hashed to fixed places.

The hashing is arithmetic on code points in numpy, so it needs no vocabulary and costs
microseconds. A block of n features weighs 1/sqrt(n) each, so that long and short
windows score on one scale.
"""

import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

BITS = 18  # places of each hashed block: 2 ** BITS
_CHARS = np.arange(1, 6)  # orders of n-grams of characters
_WORDS = np.arange(1, 4)

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_MAIL = re.compile(
    r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}", re.ASCII
)
_HOST = re.compile(r"(?:https?|ftp|wss?)://[^\s/?#\"'<>()]*|www\.[\w.-]+")
_DIGITS = re.compile(r"\d+")
_MARKUP = re.compile(r"(?m)^[-=#> ]+|[-=_#]{4,}")
# Encoded runs say nothing as they stand: what they decode to is judged as a view.
_ENCODED = re.compile(
    r"(?:%[0-9a-f]{2}){2,}|(?:&#x?[0-9a-f]{1,7};?){2,}|(?:\\[ux]?\{?[0-9a-f]{2,8}\}?){2,}"
    r"|(?:\b[0-9a-f]{2}[ :,]){6,}|[0-9a-f]{16,}"
    r"|(?=[a-z+/_-]{0,30}\d)[a-z\d+/_-]{20,}={0,2}|[a-z\d+/]{40,}={0,2}"
)
_REPEATED = re.compile(r"([.!?~,…])\1+")
_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?|0|[!?:<>\[\]{}]")

Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Block:
    """Hashed n-grams of a whole text, those of one order after those of another.

    `starts` are the units' character positions, `orders` and `counts` how long the
    n-grams of a part are and how many it has.
    """

    starts: NDArray[np.int64]
    places: Places
    orders: NDArray[np.int64]
    counts: NDArray[np.int64]


def normal_form(view: str) -> str:
    """Return the canonical view without markup, addresses, numbers and encoded runs.

    Repeated punctuation is single. The words "webaddress" and "mailaddress" and the
    digit 0 stand for what they replace.
    """
    view = _HOST.sub(" webaddress ", _MAIL.sub(" mailaddress ", view))
    view = _MARKUP.sub("", _ENCODED.sub(" ", view))
    return _REPEATED.sub(r"\1", _DIGITS.sub("0", view))


def char_block(text: str) -> Block:
    """Return the character n-grams, 1 to 5, of a normal form."""
    codes = np.frombuffer(text.encode("utf-32-le", "replace"), dtype=np.uint32)
    return _hashed(np.arange(len(codes)), codes.astype(np.uint64), _CHARS, salt=1)


def word_block(text: str) -> Block:
    """Return the word n-grams, 1 to 3; Chinese has its characters' n-grams."""
    found = list(_TOKEN.finditer(text))
    codes = [zlib.crc32(match.group().encode()) for match in found]
    starts = np.array([match.start() for match in found], dtype=np.int64)
    return _hashed(starts, np.array(codes, np.uint64), _WORDS, salt=2)


def concept_names(concepts: Iterable[str]) -> list[str]:
    """Return the concepts and their pairs, as names like "send" and "secret+send"."""
    names = sorted(concepts)
    pairs = [f"{a}+{b}" for i, a in enumerate(names) for b in names[i + 1 :]]
    return names + pairs


def _hashed(
    starts: NDArray[np.int64],
    codes: NDArray[np.uint64],
    orders: NDArray[np.int64],
    *,
    salt: int,
) -> Block:
    """Return the n-grams of orders 1, 2, ...; each is rolled out of the one before."""
    rolled = np.array([salt], np.uint64) * _MULTIPLIER + codes
    parts = [rolled]
    for done in range(1, len(orders)):
        rolled = rolled[: max(0, len(codes) - done)] * _MULTIPLIER + codes[done:]
        parts.append(rolled)
    mixed = np.concatenate(parts)
    mixed ^= mixed >> np.uint64(29)
    mixed *= _MULTIPLIER
    places = (mixed >> np.uint64(64 - BITS)).astype(np.int64)
    return Block(starts, places, orders, np.maximum(0, len(codes) + 1 - orders))
