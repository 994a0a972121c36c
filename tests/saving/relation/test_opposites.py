import pytest

from memory_core.saving.relation.opposites import opposition
from memory_core.saving.relation.reading import read


def opposed(old, new):
    return opposition(read(old).said, read(new).said)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Keep the logs", "Throw the logs away"),
        ("My visa was approved", "My visa was rejected"),
        ("I am employed", "I am unemployed"),
        ("保留日志", "清掉日志"),
        ("这家店周日营业", "这家店周日休息"),
    ],
)
def test_words_that_exclude_each_other_disagree_in_both_directions(old, new):
    assert opposed(old, new) == (1, 0)
    assert opposed(new, old) == (1, 0)


def test_a_denied_opposite_agrees():
    assert opposed("Keep the logs", "Don't throw the logs away") == (0, 1)


def test_a_word_that_both_have_tells_nothing():
    assert opposed("The shop is open", "The shop is open, not closed") == (0, 0)


def test_words_of_other_matters_are_no_opposites():
    assert opposed("I like tea", "I have a red car") == (0, 0)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I love olives", "I hate olives"),
        ("I trust our broker", "I distrust our broker"),
        ("我信任经纪人", "我怀疑经纪人"),
    ],
)
def test_a_word_that_says_no_by_itself_is_not_denied(old, new):
    assert opposed(old, new)[0] == 1
    assert opposed(new, old)[0] == 1
