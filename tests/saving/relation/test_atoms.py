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


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("set to -18 degrees", -18),
        ("温度设为-18度", -18),
        ("a balance of -$300", -300),
        ("lens +2.5", 2.5),
        ("rooms 10-18", 10),
    ],
)
def test_a_minus_belongs_to_its_number(text, value):
    assert atoms(text)[0] == ("num", value)


def test_a_hyphen_between_figures_is_no_minus():
    assert [value for _, value in atoms("rooms 10-18")] == [10, 18]
    assert [value for _, value in atoms("call 555-1234")] == [555, 1234]
