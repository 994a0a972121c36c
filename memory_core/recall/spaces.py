"""The vector space that answers recalls."""

from dataclasses import dataclass

from django.conf import settings

from memory_core.embedding import Embedder, Endpoint, get_embedder


@dataclass(frozen=True, slots=True)
class Space:
    """A vector space by its row id, with the embedder that makes its vectors."""

    model_id: int
    embedder: Embedder


def embedder(spec: str) -> Embedder:
    """Return the embedder of `spec` with the endpoint of the settings.

    Raises EmbedderUnavailable.
    """
    endpoint = Endpoint(
        settings.EMBEDDER_URL, settings.EMBEDDER_KEY, settings.EMBEDDER_TIMEOUT
    )
    return get_embedder(spec, endpoint if spec.startswith("openai:") else None)
