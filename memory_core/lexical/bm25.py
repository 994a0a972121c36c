"""BM25 over one owner's memories, as numbers from numbers.

Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009),
with the document frequency that cannot turn negative (Lucene's).
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

K1 = 0.9
B = 0.4


def idf(frequency: ArrayLike, memories: int) -> NDArray[np.float64]:
    """Weight of terms that `frequency` of `memories` have; at least 0."""
    df = np.minimum(np.asarray(frequency, dtype=np.float64), memories)
    return np.log1p((memories - df + 0.5) / (df + 0.5))


def saturation(
    count: ArrayLike, length: ArrayLike, average_length: float
) -> NDArray[np.float64]:
    """What `count` occurrences in a text of `length` terms are worth: 0 to 1 + K1."""
    tf = np.asarray(count, dtype=np.float64)
    relative = np.asarray(length, dtype=np.float64) / max(average_length, 1.0)
    return tf * (K1 + 1) / (tf + K1 * (1 - B + B * relative))


def ceiling(
    query: Mapping[str, int], frequency: Mapping[str, int], memories: int
) -> float:
    """BM25 of a memory of average length that has every term of the query once.

    BM25 divided by it is the share of the query's matter that a memory speaks of,
    whatever the store's size; terms that no memory has count in full.
    """
    if not query:
        return 0.0
    weights = idf([frequency.get(term, 0) for term in query], memories)
    return float(weights @ np.fromiter(query.values(), dtype=np.float64))
