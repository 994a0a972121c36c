import pytest

from memory_core.saving.relation.normal import normalise


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The user likes music", "the user likes music."),
        ("The weekly report is due", "Ｔｈｅ ｗｅｅｋｌｙ ｒｅｐｏｒｔ ｉｓ ｄｕｅ"),
        ("用户喜欢音乐", "  用户喜欢音乐。 "),
        ("周一要交周报", "“周一要交周报”"),
        ("用 Go 写后端", "用Go写后端"),
        ("Don't call me", "don’t call me!"),
        ("Our budget is $50,000", "our budget is $50000"),
        ("a\u200bb", "ab"),
        ("It is -5 outside", "It is \u22125 outside"),
        ("The dose is .5 mg", "The dose is 0.5 mg"),
        ("a 20 % raise", "a 20% raise"),
        ("I like tea - always", "I like tea always"),
        ("Ünïted", "u\u0308ni\u0308ted"),
    ],
)
def test_spelling_variants_share_a_key(one, other):
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Pin Python to 3.9", "Pin Python to 39"),
        ("It is -5 outside", "It is 5 outside"),
        ("I write C++", "I write C"),
        ("I write C#", "I write C"),
        ("mail a.b@c.org", "mail ab@c.org"),
        ("The flight is on 6-3", "The flight is on 63"),
        ("I like it", "I like it?"),
        ("a 100% raise", "a 100 raise"),
        ("a 100 % raise", "a 100 raise"),
        ("温度设为-5度", "温度设为5度"),
        ("The balance is -$5", "The balance is $5"),
        ("My blood type is AB-", "My blood type is AB"),
        ("The dose is .5 mg", "The dose is 5 mg"),
    ],
)
def test_what_changes_the_meaning_changes_the_key(one, other):
    assert normalise(one) != normalise(other)


def test_text_without_letters_has_an_empty_key():
    assert normalise(" ...!") == ""
