import pytest

from memory_core.saving.relation.atoms import chinese_number, find_atoms


def atoms(text):
    return [(atom.kind, atom.value) for atom in find_atoms(text)]


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("三十一", 31),
        ("十五", 15),
        ("五万", 50_000),
        ("一万二千", 12_000),
        ("二〇二六", 2026),
    ],
)
def test_chinese_numerals_have_their_value(raw, value):
    assert chinese_number(raw) == value


@pytest.mark.parametrize(
    ("chinese", "english"),
    [
        ("我的生日是五月二十号", "born on the 20th of may"),
        ("每周五下午三点开会", "every friday at 15:00"),
        ("预算五万元", "a budget of $50,000"),
        ("保留三十天", "kept for thirty days"),
        ("我每天七点起床", "i wake up at seven in the morning"),
    ],
)
def test_the_same_moment_or_amount_is_one_atom_in_both_languages(chinese, english):
    assert atoms(chinese) == atoms(english) != []


@pytest.mark.parametrize("text", ["我们统一一下", "他一般一起来", "one of a kind"])
def test_words_that_only_contain_a_numeral_are_no_numbers(text):
    assert atoms(text) == []


def test_two_badges_differ():
    assert atoms("badge a1023") != atoms("badge a1032")
