"""Any SentenceTransformer: a model's name, a folder, or a package that carries one."""

from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from memory_core.embedding.calibration import Calibration
from memory_core.embedding.errors import EmbedderUnavailable
from memory_core.embedding.fitting import calibrate
from memory_core.embedding.protocol import MAX_TOKENS, Vectors
from memory_core.embedding.texts import presentable, unit

BATCH = 16


class SentenceTransformerEmbedder:
    """Runs `model` on the device that torch finds; needs the extra of that name.

    Prompts that the model's configuration names `query` and `passage` (or `document`)
    are put in front, as its authors trained it.
    """

    def __init__(self, model: str) -> None:
        try:
            from sentence_transformers import SentenceTransformer

            self._model = SentenceTransformer(_location(model))
        except ImportError as error:
            raise EmbedderUnavailable(
                "embedder_missing",
                "the package sentence-transformers is not installed: "
                "install the extra [sentence-transformers]",
            ) from error
        except (OSError, ValueError, RuntimeError) as error:
            raise EmbedderUnavailable(
                "embedder_missing", f"no model at {model!r}: {error}"
            ) from error
        longest = self._model.max_seq_length or MAX_TOKENS
        self._model.max_seq_length = min(longest, MAX_TOKENS)
        self.name = f"sentence-transformers:{model}"

    @property
    def dimensions(self) -> int:
        """Numbers in one vector."""
        return int(self._model.get_embedding_dimension())

    @cached_property
    def calibration(self) -> Calibration:
        """Fitted on the generic pairs when first asked for."""
        return calibrate(self)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of what somebody asks."""
        return self._embed(texts, "query")

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of what is remembered."""
        return self._embed(texts, "passage", "document")

    def _embed(self, texts: Sequence[str], *prompt_names: str) -> Vectors:
        prompts = self._model.prompts or {}
        prompt = next((prompts[name] for name in prompt_names if name in prompts), None)
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        return unit(
            self._model.encode(
                [presentable(text) for text in texts],
                prompt=prompt,
                batch_size=BATCH,
                show_progress_bar=False,
                convert_to_numpy=True,
            )
        )


def _location(model: str) -> str:
    """The folder inside the installed package `model`, or `model` as it is."""
    package = model.replace("-", "_")
    spec = find_spec(package) if package.isidentifier() else None
    places = spec.submodule_search_locations if spec else None
    folders = [Path(place) / "model" for place in places or ()]
    return next((str(at) for at in folders if (at / "modules.json").exists()), model)
