"""What every embedder offers."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memory_core.embedding.calibration import Calibration

Vectors = NDArray[np.float32]

MAX_TOKENS = 256
"""A vector is made from at most so many tokens of a text; words index all of it."""


class Embedder(Protocol):
    """Text -> vectors of one space, named by `name`.

    Both methods give float32 of shape (number of texts, `dimensions`), each row of
    length 1, and raise EmbedderUnavailable. Safe to call from several threads.
    """

    @property
    def name(self) -> str:
        """The spec that made it; vectors of different names are never compared."""

    @property
    def dimensions(self) -> int:
        """Numbers in one vector."""

    @property
    def calibration(self) -> Calibration:
        """What a cosine between a query and a passage of this space means."""

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of what somebody asks."""

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of what is remembered."""
