"""What a chat adapter keeps of what a user says."""

from __future__ import annotations

import pytest

from mneme.noticing import notice


@pytest.mark.parametrize(
    ("said", "category"),
    [
        ("我叫小明", "profile"),
        ("My name is Ann.", "profile"),
        ("我喜欢蓝色", "preference"),
        ("I prefer short answers", "preference"),
        ("以后不要给我打电话", "constraint"),
        ("I'm allergic to nuts, never suggest them", "constraint"),
        ("记住：周五要发货", "event"),
        ("Remember that the parcel comes on Friday", "event"),
        ("昨天去了杭州", "event"),
    ],
)
def test_a_statement_is_kept_under_its_category(said: str, category: str) -> None:
    assert notice(said) == category


@pytest.mark.parametrize(
    "said",
    [
        "请推荐一件衬衫",
        "有什么偏冷的色调建议",
        "你了解我什么",
        "喜欢蓝色吗",
        "帮我查一下订单",
        "What do I like?",
        "Tell me about shirts",
        "can you help me find a shirt",
        "谢谢！",
        "hello",
        "ok",
        "",
        "嗯",
        "x" * 1_001,
    ],
)
def test_a_question_a_request_and_small_talk_are_let_go(said: str) -> None:
    assert notice(said) is None
