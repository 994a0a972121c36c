"""What counts as said explicitly, in English and in Chinese."""

from datetime import UTC, datetime

import pytest

from memory_core.contracts.sessions import Message
from memory_core.encoding.protocol import Excerpt
from memory_core.encoding.rules import RuleEncoder, explicit, is_trigger, to_forget

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def encoded(*texts, role="user"):
    messages = tuple(Message(role, text, NOW, n) for n, text in enumerate(texts))
    return RuleEncoder().encode(Excerpt(messages, "", (), NOW))


KEPT = [
    ("My name is Ann.", "profile", "My name is Ann."),
    ("我叫小明", "profile", "我叫小明"),
    ("对了，我住在上海，离公司很近", "profile", "我住在上海，离公司很近"),
    ("我是一名护士", "profile", "我是一名护士"),
    ("Well, I really like navy blue", "preference", "I really like navy blue"),
    ("其实我不喜欢香菜", "preference", "我不喜欢香菜"),
    ("I'm allergic to peanuts!", "constraint", "I'm allergic to peanuts!"),
    ("Remember that I cannot eat gluten.", "constraint", "I cannot eat gluten."),
    ("记住我对花生过敏", "constraint", "我对花生过敏"),
    ("From now on, never use Java", "constraint", "From now on, never use Java"),
    ("以后不要给我推荐Java", "constraint", "以后不要给我推荐Java"),
    ("I said no Java", "constraint", "I said no Java"),
    ("请用中文回答", "skill", "请用中文回答"),
    ("remind me to call mum on Friday", "task", "remind me to call mum on Friday"),
    ("记得提醒我周五交报告", "task", "提醒我周五交报告"),
    ("this week I eat vegetarian", "temporary", "this week I eat vegetarian"),
    ("我这周不吃肉", "temporary", "我这周不吃肉"),
    ("供应商换成了华为", "fact", "供应商换成了华为"),
    (
        "We switched to PostgreSQL last month",
        "fact",
        "We switched to PostgreSQL last month",
    ),
    ("I no longer like coffee", "preference", "I no longer like coffee"),
]


@pytest.mark.parametrize(("text", "category", "content"), KEPT)
def test_an_explicit_statement_is_kept_in_the_users_words(text, category, content):
    [found] = encoded(text).candidates
    assert (found.content, found.category) == (content, category)
    assert found.source_kind == "user_input"
    assert is_trigger(text)


IGNORED = [
    "What is my name?",
    "我喜欢什么颜色？",
    "I'd like a coffee",
    "If I like blue, show me blue things",
    "如果我喜欢蓝色，你会推荐什么",
    "He said that I like blue",
    "他说我叫小明",
    "Please answer in English in this conversation",
    "这次对话请用英文回答",
    "Run `I like tea` in the shell",
    "```\nmy name is root\n```",
    "I forgot my keys",
    "我忘了密码",
    "delete the file",
    "好的，谢谢",
    "Don't remember this: I hate my boss",
    "别记住这个：我喜欢偷懒",
    "我是说这个不行",
]


@pytest.mark.parametrize("text", IGNORED)
def test_nothing_is_concluded_from_anything_else(text):
    found = encoded(text)
    assert found.candidates == ()
    assert found.forget == ()
    assert not is_trigger(text)


@pytest.mark.parametrize("role", ["assistant", "tool", "system"])
def test_only_the_user_speaks_for_the_user(role):
    found = encoded("My name is Ann. Forget what I said about it.", role=role)
    assert (found.candidates, found.forget) == ((), ())


def test_two_statements_of_one_sentence_become_two():
    contents = [one for one, _, _ in explicit("我叫小明，我喜欢蓝色，尤其是深蓝")]
    assert contents == ["我叫小明", "我喜欢蓝色，尤其是深蓝"]


def test_what_one_asks_to_remember_weighs_more_than_what_one_mentions():
    [asked] = encoded("Please remember that I like tea").candidates
    [mentioned] = encoded("I like tea").candidates
    assert (asked.importance or 0.5) > (mentioned.importance or 0.5)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("忘掉我之前说的地址", "忘掉我之前说的地址"),
        ("请把我的地址忘掉", "我的地址"),
        (
            "Please forget what I said about my address",
            "Please forget what I said about my address",
        ),
        (
            "Delete everything I told you about my boss.",
            "Delete everything I told you about my boss.",
        ),
    ],
)
def test_a_request_to_forget_is_no_statement(text, query):
    found = encoded(text)
    assert [one.query for one in found.forget] == [query]
    assert found.candidates == ()


@pytest.mark.parametrize(
    "text", ["don't forget that I hate cilantro", "别忘了我不吃香菜"]
)
def test_do_not_forget_is_the_opposite(text):
    assert to_forget(text) == []
    assert len(encoded(text).candidates) == 1


def test_what_is_said_again_is_kept_although_nobody_asked():
    said = "our deploys for my team always go through staging first"
    once = encoded(said, "how are you today")
    twice = encoded(said, "how are you today", said.capitalize())
    assert once.candidates == ()
    assert [one.content for one in twice.candidates] == [said]


def test_a_repeated_statement_is_one_that_weighs_more():
    [found] = encoded("I like tea", "ok", "I like tea").candidates
    assert found.importance == 0.8


def test_nothing_is_made_of_long_and_odd_texts():
    for text in ("I " * 16_000, "我" * 16_000, "remember " * 3_000, "，" * 30_000):
        assert encoded(text).candidates == ()
