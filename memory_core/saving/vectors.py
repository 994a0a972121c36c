"""Vectors for what is saved: in the active space, within the time a save may wait."""

import logging
import os
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as Late
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

import numpy as np
import orjson
from cachetools import TTLCache, cached
from django.conf import settings

from memory_core.contracts.enums import VectorSpaceState
from memory_core.contracts.relation import Vector
from memory_core.embedding import (
    Embedder,
    EmbedderUnavailable,
    Endpoint,
    Vectors,
    get_embedder,
)
from memory_core.exceptions import NoVectorSpace
from memory_core.models import EmbeddingModel

logger = logging.getLogger(__name__)

SECONDS = 3.0
SLICE = 16
"""Texts embedded in one go; between slices the time is looked at."""


@dataclass(frozen=True, slots=True)
class ModelRow:
    """The vector space that answers recalls: its row id and the model's name."""

    id: int
    name: str


@cached(TTLCache(1, SECONDS), lock=Lock())
def active_model() -> ModelRow:
    """Return the active vector space, known for 3 s; needs a transaction that may read.

    Raises NoVectorSpace when none was set up.
    """
    row = EmbeddingModel.objects.filter(state=VectorSpaceState.ACTIVE).first()
    if row is None:
        raise NoVectorSpace("No vector space has been set up.")
    return ModelRow(row.pk, row.name)


def ensure_model() -> ModelRow:
    """Return the active vector space, made for the configured embedder if none is.

    Raises EmbedderUnavailable when the embedder cannot be loaded.
    """
    forget()
    if not EmbeddingModel.objects.filter(state=VectorSpaceState.ACTIVE).exists():
        embedder = embedder_of(settings.EMBEDDER)
        EmbeddingModel.objects.create(
            name=embedder.name,
            dimensions=embedder.dimensions,
            state=VectorSpaceState.ACTIVE,
        )
    return active_model()


def embedder_of(name: str) -> Embedder:
    """Return the embedder of that name; raises EmbedderUnavailable."""
    if not name.startswith("openai:"):
        return get_embedder(name)
    endpoint = Endpoint(
        base_url=settings.EMBEDDER_URL,
        api_key=settings.EMBEDDER_KEY,
        timeout_seconds=settings.EMBEDDER_TIMEOUT,
    )
    return get_embedder(name, endpoint)


def forget() -> None:
    """Drop what this process knows of the active space."""
    active_model.cache_clear()


def embed_in_time(model: ModelRow, texts: Sequence[str]) -> list[Vector | None]:
    """Return a vector for each text, None for those that did not come in time.

    The whole call takes at most `settings.EMBEDDER_TIMEOUT` seconds; a failing
    embedder is logged and gives None, since words find a memory without a vector.
    """
    deadline = time.monotonic() + settings.EMBEDDER_TIMEOUT
    vectors: list[Vector | None] = []
    for start in range(0, len(texts), SLICE):
        part = texts[start : start + SLICE]
        found = _embed_until(deadline, model, part)
        if found is None:
            break
        vectors.extend(found)
    return vectors + [None] * (len(texts) - len(vectors))


def embed(model: ModelRow, texts: Sequence[str]) -> Vectors:
    """Return a vector for each text, however long it takes.

    Raises EmbedderUnavailable.
    """
    return embedder_of(model.name).embed_passages(texts)


def _embed_until(
    deadline: float, model: ModelRow, texts: Sequence[str]
) -> Vectors | None:
    left = deadline - time.monotonic()
    if left <= 0:
        return None
    work: Future[Vectors] = _pool().submit(embed, model, texts)
    try:
        return work.result(left)
    except Late:
        work.cancel()
        logger.warning("the embedder is too slow; %d texts wait", len(texts))
    except EmbedderUnavailable as error:
        logger.warning("%d texts wait for their vectors: %s", len(texts), error.code)
    return None


@lru_cache(maxsize=1)
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=4, thread_name_prefix="embed")


os.register_at_fork(after_in_child=_pool.cache_clear)


def as_text(vector: Vector) -> str:
    """Return a vector as PostgreSQL reads it."""
    plain = np.ascontiguousarray(vector, dtype=np.float32)
    return orjson.dumps(plain, option=orjson.OPT_SERIALIZE_NUMPY).decode()


def from_bytes(sent: bytes) -> Vector:
    """Return the vector in a `halfvec_send`: two short integers, then the halves."""
    return np.frombuffer(sent, dtype=">f2", offset=4).astype(np.float32)
