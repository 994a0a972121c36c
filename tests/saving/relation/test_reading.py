import pytest

from memory_core.saving.relation.reading import LIMIT, read


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        ("I like blue", "colour:蓝色"),
        ("我最爱蓝色", "colour:蓝色"),
        ("My mum lives in Leeds", "~mother"),
        ("我母亲住在利兹", "~mother"),
    ],
)
def test_words_of_both_languages_meet_in_one_meaning(text, symbol):
    assert symbol in read(text).symbols


@pytest.mark.parametrize(
    "text", ["I don't eat lamb", "Lamb is something I never eat", "羊肉我从来不吃"]
)
def test_a_negation_turns_its_clause_wherever_it_stands(text):
    assert read(text).sign["~eat"] == -1


def test_a_negation_ends_with_its_clause():
    signs = read("Use Go, not Java").sign
    assert signs["code:go"] == 1
    assert signs["code:java"] == -1


@pytest.mark.parametrize("text", ["这家店不错", "我非常喜欢", "not only tea"])
def test_look_alikes_of_negations_negate_nothing(text):
    assert read(text).negations == 0


@pytest.mark.parametrize("subject", ["", "我", "用户", "I", "the user", "The User"])
def test_words_for_the_owner_are_one_subject(subject):
    assert read("likes tea", subject).subject == ""


def test_another_subject_stays():
    assert read("likes tea", "小明").subject == "小明"


def test_only_the_beginning_of_a_long_text_is_read():
    assert len(read("tea " * LIMIT).symbols) <= LIMIT


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("我开比亚迪", "car"),
        ("我信佛", "religion"),
        ("I'm a Buddhist", "religion"),
        ("我用小米手机", "handset"),
        ("My cat is called Luna", "name"),
    ],
)
def test_a_verb_with_one_of_its_values_states_an_attribute(text, attribute):
    assert attribute in read(text).single


@pytest.mark.parametrize(
    "text", ["我开网店", "我信缘分", "I called Becky", "I drive a bus on weekends"]
)
def test_the_same_verb_with_another_object_states_none(text):
    assert not read(text).single


def test_a_text_about_a_relative_has_a_bearer():
    assert read("我奶奶换了手机").bearer == "~grandmother"
    assert read("My brother quit his job").bearer == "~brother"
    assert read("I told my brother").bearer == ""
