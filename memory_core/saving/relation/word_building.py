"""Making the table of word vectors from word lists; done once, not when judging."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memory_core.saving.relation.scales import Embed, unit

DIMENSIONS = 64
_SCALE = 256  # nearly all coordinates of a unit vector in 64 dimensions are below 0.5
_BATCH = 512


def build(lists: Sequence[Sequence[str]], embed: Embed, file: Path) -> None:
    """Write the word table: lists of words by language, the most common first.

    The directions are the principal ones of what ``embed`` says to single words.
    """
    words = [word for ranked in lists for word in ranked]
    raw = np.vstack(
        [embed(words[i : i + _BATCH]) for i in range(0, len(words), _BATCH)]
    ).astype(np.float32)
    raw -= raw.mean(axis=0)
    _, _, axes = np.linalg.svd(raw[::4], full_matrices=False)
    vectors = unit(raw @ axes[:DIMENSIONS].T)
    np.savez_compressed(
        file,
        words=np.array("\n".join(words)),
        vectors=np.clip(np.round(vectors * _SCALE), -127, 127).astype(np.int8),
        common=np.concatenate([_commonness(len(ranked)) for ranked in lists]),
    )


def _commonness(count: int) -> NDArray[np.uint8]:
    """255 for the first of a ranked list down to 0 for the last, by log of the rank."""
    ranks = np.log1p(np.arange(count)) / np.log1p(count)
    result: NDArray[np.uint8] = (255 * (1.0 - ranks)).astype(np.uint8)
    return result
