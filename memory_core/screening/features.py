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
CHAR_ORDERS = (1, 2, 3, 4, 5)
WORD_ORDERS = (1, 2, 3)

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
class Grams:
    """N-grams of one order over a text: the unit each starts at, and its place."""

    order: int
    places: Places


@dataclass(frozen=True, slots=True)
class Block:
    """Hashed n-grams of a whole text; `starts` are the units' character positions."""

    starts: NDArray[np.int64]
    grams: tuple[Grams, ...]

    def units(self, start: int, end: int) -> tuple[int, int]:
        """Return the range of units that begin within characters [start, end)."""
        first, last = np.searchsorted(self.starts, (start, end))
        return int(first), int(last)


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
    starts = np.arange(len(codes))
    return Block(starts, _rolled(codes.astype(np.uint64), CHAR_ORDERS, salt=1))


def word_block(text: str) -> Block:
    """Return the word n-grams, 1 to 3; Chinese has its characters' n-grams."""
    found = list(_TOKEN.finditer(text))
    codes = [zlib.crc32(match.group().encode()) for match in found]
    starts = np.array([match.start() for match in found], dtype=np.int64)
    return Block(starts, _rolled(np.array(codes, np.uint64), WORD_ORDERS, salt=2))


def concept_names(concepts: Iterable[str]) -> list[str]:
    """Return the concepts and their pairs, as names like "send" and "secret+send"."""
    names = sorted(concepts)
    pairs = [f"{a}+{b}" for i, a in enumerate(names) for b in names[i + 1 :]]
    return names + pairs


def _rolled(
    codes: NDArray[np.uint64], orders: Iterable[int], *, salt: int
) -> tuple[Grams, ...]:
    grams = []
    rolled = np.full(len(codes), salt, dtype=np.uint64)
    done = 0
    for order in orders:
        while done < order:
            rolled = rolled[: max(0, len(codes) - done)] * _MULTIPLIER + codes[done:]
            done += 1
        mixed = (rolled ^ (rolled >> np.uint64(29))) * _MULTIPLIER
        places = (mixed >> np.uint64(64 - BITS)).astype(np.int64)
        grams.append(Grams(order, places))
    return tuple(grams)
