import pytest

from memory_core.lexical import asks


@pytest.mark.parametrize(
    "text",
    [
        "Where did you go?",
        "真的？",
        "你喜欢什么颜色呢",
        "Great! How was it? 😊",
        "吃了吗。",
    ],
)
def test_a_text_that_closes_with_a_question_asks(text: str) -> None:
    assert asks(text)


@pytest.mark.parametrize(
    "text", ["Why not? I went there.", "我喜欢蓝色", "", "吗啡过敏，需要注意"]
)
def test_a_text_that_closes_with_a_statement_does_not_ask(text: str) -> None:
    assert not asks(text)
