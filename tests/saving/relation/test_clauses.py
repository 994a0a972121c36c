"""News wrapped in talk."""

import pytest

from memory_core.saving.relation.clauses import clauses


@pytest.mark.parametrize(
    ("text", "news"),
    [
        (
            "Right, the boxes are gone, and we live in Derby now",
            ["we live in Derby now"],
        ),
        (
            "Dr. Bell retired, so I see Dr. Amin now",
            ["Dr. Bell retired", "I see Dr. Amin now"],
        ),
        ("跟你说个事，我现在喝豆浆了", ["我现在喝豆浆了"]),
    ],
)
def test_the_clauses_that_bring_news_are_found(text, news):
    assert [clause.text for clause in clauses(text)] == news


@pytest.mark.parametrize(
    "text",
    [
        "We live in Derby now",
        "We went to the sea, it rained, and nobody minded",
        "My brother sold his flat, and he lives in Derby now",
        "My parents called, and are moving to Derby now",
        "我弟弟换工作了，现在在邮局上班",
        "They changed the menu, so she drinks tea now",
    ],
)
def test_one_clause_old_matters_and_the_news_of_others_are_none(text):
    assert clauses(text) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "I live in York",
            "Phew, that was a week, but the van is back and I live in Derby now",
        ),
        (
            "我住在苏州",
            "跟你说一声，箱子拆了半个月总算完了，我现在住在扬州",
        ),
    ],
)
def test_news_wrapped_in_talk_supersedes(kind, old, new):
    assert kind(old, new) == "supersede"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "I live in York",
            "Phew, that was a week, my sister moved out and lives in Derby now",
        ),
        ("I drink cow's milk", "They repaired the lift, so the milk is on time now"),
        ("我的血型是O型", "报告刚拿到，我爸其实是A型血"),
    ],
)
def test_talk_of_other_matters_changes_nothing(kind, old, new):
    assert kind(old, new) in ("distinct", "refines")
