"""Vectors of single words, so that rewordings meet whatever embeds the sentences."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_FILE = Path(__file__).parent / "weights" / "words.npz"
LONGEST = 4
UNKNOWN = -1


@dataclass(frozen=True)
class WordTable:
    """Words by row: int8 directions and how common each is, 0 (rare) to 1."""

    row: dict[str, int]
    vectors: NDArray[np.int8]
    common: NDArray[np.float32]

    def unit(self, rows: list[int]) -> NDArray[np.float32]:
        """Unit vectors of rows, (n, d); an unknown word gives zeros."""
        found: NDArray[np.float32] = self.vectors[rows].astype(np.float32)
        found[[r == UNKNOWN for r in rows]] = 0.0
        norms = np.sqrt(np.einsum("ij,ij->i", found, found))
        result: NDArray[np.float32] = found / np.maximum(norms, 1e-6)[:, None]
        return result

    def weight(self, row: int) -> float:
        """How much a word tells, 0.1 to 1: rare and unknown words tell most."""
        return 1.0 if row == UNKNOWN else max(0.1, 1.0 - float(self.common[row]))


@cache
def table() -> WordTable:
    """The shipped words, loaded once per process."""
    with np.load(_FILE) as stored:
        words = str(stored["words"]).split("\n")
        return WordTable(
            row={w: i for i, w in enumerate(words)},
            vectors=stored["vectors"],
            common=stored["common"].astype(np.float32) / 255.0,
        )
