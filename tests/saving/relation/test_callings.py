"""Statements of names."""

import pytest

from memory_core.contracts.relation import Statement
from memory_core.saving.relation.callings import (
    names_differ,
    of_others,
    people_differ,
    values_differ,
)
from memory_core.saving.relation.judging import relate


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("我养了一只狗叫豆豆", "我养的狗叫毛毛"),
        ("他名叫李雷，住在北京。", "他叫韩梅梅"),
        ("My dog is called Rex.", "My dog's name is Max"),
    ],
)
def test_other_names_differ(old: str, new: str) -> None:
    assert names_differ(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("我的猫叫咪咪", "家里的猫名叫咪咪。"),
        ("My dog is called Rex.", "My dog's name is Rex"),
        ("我的猫叫咪咪", "我有一只猫"),
        ("I called the bank", "I called my bank again"),
    ],
)
def test_the_same_name_or_none_does_not(old: str, new: str) -> None:
    assert not names_differ(old, new)


def test_another_name_is_never_a_repetition() -> None:
    relation = relate(Statement("用户叫小明"), Statement("用户的公司叫小明科技"))

    assert relation.kind != "duplicate"
    assert relation.signals["p_duplicate"] == 0.0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("我的血型是A型", "我的血型是B型"),
        ("项目用 Python 写", "项目用 Go 写"),
        ("我的邮箱是 lin@a.cn", "我的邮箱是 lin@b.cn"),
        ("Mail me at lin@a.cn", "Mail me at lin@b.cn"),
    ],
)
def test_other_values_differ(old: str, new: str) -> None:
    assert values_differ(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("我用Python写代码", "我写代码用 python"),
        ("我喜欢 Go", "我喜欢围棋"),
        ("I like tea", "I love tea"),
    ],
)
def test_the_same_values_in_other_words_do_not(old: str, new: str) -> None:
    assert not values_differ(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("记得给小吴回电话", "记得给小郑回电话"),
        ("我欠老韩五百块", "我欠老魏五百块"),
        ("Mr. Park drives a Kia", "Mr. Chen drives a Kia"),
    ],
)
def test_people_of_other_names_differ(old: str, new: str) -> None:
    assert people_differ(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("老板很忙", "小时候很忙"),
        ("记得给小吴回电话", "小吴在等电话"),
        ("Ms. Vega works for Swift Freight", "Ms. Vega's employer is Swift Freight"),
    ],
)
def test_the_same_people_or_none_do_not(old: str, new: str) -> None:
    assert not people_differ(old, new)


def test_a_text_that_begins_with_another_bearer_is_of_others() -> None:
    assert of_others("Team Red reports to Priya", "Team Blue reports to Tomas")
    assert of_others("王叔的车是大众", "李叔的车是丰田")
    assert not of_others("我的房东是刘阿姨", "我的房东是吴阿姨")
