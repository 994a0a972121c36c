"""Any server that speaks OpenAI's embeddings protocol."""

import time
import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import httpx
import numpy as np
from numpy.typing import NDArray

from memory_core import foreign_json
from memory_core.embedding.calibration import Calibration
from memory_core.embedding.errors import EmbedderUnavailable
from memory_core.embedding.fitting import calibrate
from memory_core.embedding.protocol import Vectors
from memory_core.embedding.texts import cut, estimated_tokens, presentable, unit

BATCH = 32
BACKOFF_SECONDS = (0.2, 0.6)
"""Waits before the second and the third attempt; there is no fourth."""
LONGEST_WAIT_SECONDS = 2.0
"""A server that asks for more patience than this counts as unavailable."""


@dataclass(frozen=True)
class Endpoint:
    """Where and how to ask.

    `base_url` ends where `/embeddings` begins (often in `/v1`). The prefixes are what
    the model wants before a query or a passage, such as `query: ` for E5.
    """

    base_url: str
    api_key: str = field(default="", repr=False)
    timeout_seconds: float = 5.0
    query_prefix: str = ""
    passage_prefix: str = ""


class EndpointEmbedder:
    """Vectors of `model` from `endpoint`."""

    def __init__(self, model: str, endpoint: Endpoint) -> None:
        self.name = f"openai:{model}"
        self._model = model
        self._endpoint = endpoint
        key = endpoint.api_key
        self._client = httpx.Client(
            headers={"Authorization": f"Bearer {key}"} if key else {},
            timeout=endpoint.timeout_seconds,
        )
        weakref.finalize(self, self._client.close)

    @cached_property
    def dimensions(self) -> int:
        """Numbers in one vector; asks the endpoint once."""
        return int(self.embed_passages(["dimensions"]).shape[1])

    @cached_property
    def calibration(self) -> Calibration:
        """Fitted on the generic pairs when first asked for."""
        return calibrate(self)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of what somebody asks."""
        return self._embed(texts, self._endpoint.query_prefix)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of what is remembered."""
        return self._embed(texts, self._endpoint.passage_prefix)

    def _embed(self, texts: Sequence[str], prefix: str) -> Vectors:
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        ready = [prefix + cut(presentable(text), estimated_tokens) for text in texts]
        batches = [
            ready[start : start + BATCH] for start in range(0, len(ready), BATCH)
        ]
        parts = [_vectors(self._post(batch), len(batch)) for batch in batches]
        if len({part.shape[1] for part in parts}) > 1:
            raise _garbled("vectors of different sizes")
        return unit(np.concatenate(parts))

    def _post(self, batch: list[str]) -> httpx.Response:
        for backoff in BACKOFF_SECONDS:
            try:
                return self._post_once(batch)
            except EmbedderUnavailable as error:
                wait = error.retry_after or backoff
                if not error.transient or wait > LONGEST_WAIT_SECONDS:
                    raise
                time.sleep(wait)
        return self._post_once(batch)

    def _post_once(self, batch: list[str]) -> httpx.Response:
        body = {"model": self._model, "input": batch, "encoding_format": "float"}
        url = self._endpoint.base_url.rstrip("/") + "/embeddings"
        try:
            response = self._client.post(url, json=body)
        except httpx.TimeoutException as error:
            raise EmbedderUnavailable(
                "embedder_timeout",
                "the embeddings endpoint is too slow",
                transient=True,
            ) from error
        except httpx.HTTPError as error:
            raise EmbedderUnavailable(
                "embedder_unreachable",
                f"the embeddings endpoint cannot be reached: {type(error).__name__}",
                transient=True,
            ) from error
        _refuse_failure(response)
        return response


def _refuse_failure(response: httpx.Response) -> None:
    status = response.status_code
    if status == httpx.codes.OK:
        return
    transient = status == httpx.codes.TOO_MANY_REQUESTS or status >= 500
    asked = response.headers.get("Retry-After", "")
    raise EmbedderUnavailable(
        "embedder_refused",
        f"the embeddings endpoint answers {status}",
        transient=transient,
        retry_after=float(asked) if asked.isdecimal() else None,
    )


def _vectors(response: httpx.Response, expected: int) -> NDArray[np.float64]:
    """The vectors in an answer, in the order asked for."""
    try:
        answer = foreign_json.loads(response.content)
        items = sorted(answer["data"], key=lambda item: int(item["index"]))
        vectors = np.array([item["embedding"] for item in items], dtype=np.float64)
    except (ValueError, TypeError, KeyError) as error:
        raise _garbled("no list of vectors") from error
    if vectors.ndim != 2 or len(vectors) != expected or not vectors.shape[1]:
        raise _garbled(f"{len(vectors)} vectors for {expected} texts")
    if not np.isfinite(vectors).all() or not vectors.any(axis=1).all():
        raise _garbled("vectors with no direction")
    return vectors


def _garbled(what: str) -> EmbedderUnavailable:
    return EmbedderUnavailable(
        "embedder_garbled", f"the embeddings endpoint answered {what}", transient=True
    )
