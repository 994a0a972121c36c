"""Vectors of queries, shared by the processes of an installation through Valkey.

Kept under a keyed digest of the text within the owner's own prefix, for ten minutes
there and for one in the process: an erasure finds them, and no other owner's query
ever meets them.
"""

import logging
from threading import Lock

import numpy as np
from cachetools import TTLCache
from numpy.typing import NDArray

from memory_core import digests, valkey
from memory_core.embedding import Embedder

Vector = NDArray[np.float32]

SECONDS = 600
PREFIX = "mneme:query"
PROCESS_SECONDS = 60.0
PROCESS_ENTRIES = 512

logger = logging.getLogger(__name__)
_kept: TTLCache[str, Vector] = TTLCache(PROCESS_ENTRIES, PROCESS_SECONDS)
_lock = Lock()


def query_vector(embedder: Embedder, text: str, *, owner: int) -> Vector:
    """Return the vector of a query: float32, of length 1.

    Raises EmbedderUnavailable.
    """
    key = key_of(embedder.name, text, owner=owner)
    with _lock:
        kept = _kept.get(key)
    if kept is None:
        kept = _read(key, embedder.dimensions)
        if kept is None:
            kept = embedder.embed_queries([text])[0]
            if owner:  # nobody could find the query of a stranger, or of the erased
                _write(key, kept)
        with _lock:
            _kept[key] = kept
    return kept


def forget(owner: int) -> None:
    """Drop the owner's queries here and in Valkey; raises valkey.Unavailable."""
    mine = f"{PREFIX}:{owner}:"
    with _lock:
        for key in [key for key in _kept if key.startswith(mine)]:
            _kept.pop(key, None)
    for found in valkey.client().scan_iter(f"{mine}*", count=1_000):
        valkey.client().delete(found)


def key_of(model: str, text: str, *, owner: int) -> str:
    """Return the key under which a query's vector is kept."""
    return f"{PREFIX}:{owner}:{digests.keyed(f'query {model}', text).hex()}"


def _read(key: str, dimensions: int) -> Vector | None:
    if valkey.is_resting():
        return None
    try:
        raw = valkey.read(key)
    except valkey.Unavailable as error:
        valkey.rest()
        logger.warning("query vectors are not shared, Valkey is down: %s", error)
        return None
    if raw is None or len(raw) != 4 * dimensions:
        return None
    return np.frombuffer(raw, dtype=np.float32)


def _write(key: str, vector: Vector) -> None:
    if valkey.is_resting():
        return
    try:
        valkey.client().set(key, vector.astype(np.float32).tobytes(), ex=SECONDS)
    except valkey.Unavailable:
        valkey.rest()
