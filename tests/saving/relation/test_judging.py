import numpy as np
import pytest

from memory_core.contracts.relation import Statement
from memory_core.saving.relation import relate, relate_many


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("用户说过不要用 Java", "用户要求别用 Java 写"),
        ("Don't use Java", "Never use Java, please"),
        ("团队的后端全部用 Go 写", "我们团队后端统一使用 Go 语言"),
        (
            "The weekly sync is on Friday at 3pm",
            "Our weekly meeting is Friday at 15:00",
        ),
        ("我的生日是五月二十号", "我是5月20日出生的"),
    ],
)
def test_rewordings_are_duplicates(kind, old, new):
    assert kind(old, new) == "duplicate"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("我喜欢蓝色", "换成黑色主题"),
        ("I love Chinese food", "I hate Chinese food"),
        ("我们的供应商是华东包装", "供应商换成了南方纸业"),
        ("I live in Boston", "I moved to Denver last month"),
        ("周会安排在星期一", "周会改到星期四了"),
        ("I smoke", "I gave up smoking"),
        ("用户有高血压", "用户没有高血压"),
        ("We used to meet on Mondays", "The meeting has moved to Thursdays"),
    ],
)
def test_a_changed_mind_or_value_supersedes(kind, old, new):
    assert kind(old, new) == "supersede"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("我爸爸喜欢喝茶", "我妈妈喜欢喝茶"),
        ("User A hates promotions", "User B hates promotions"),
        ("I'm allergic to pollen", "I'm allergic to dust"),
        ("我住在北京", "周末去上海玩"),
        ("I live in Boston", "I visited Denver once"),
        ("I live in Boston", "Do you know a good restaurant in Denver?"),
        ("我喜欢蓝色", "你喜欢黑色吗？"),
        ("I love Thai food", "My sister hates Thai food"),
        ("每次训练四十分钟", "每次热身十分钟"),
    ],
)
def test_other_people_matters_and_questions_change_nothing(kind, old, new):
    assert kind(old, new) in ("distinct", "refines")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The user likes cool colours", "The user likes blue"),
        ("用户喜欢冷色调", "用户喜欢蓝色"),
        ("I like sports", "I like playing badminton"),
    ],
)
def test_a_more_precise_statement_refines(kind, old, new):
    assert kind(old, new) == "refines"


def test_equal_texts_are_duplicates_without_vectors_and_in_any_case():
    relation = relate(Statement("I like tea"), Statement("i LIKE tea!"))
    assert (relation.kind, relation.p) == ("duplicate", 1.0)


def test_the_same_words_about_another_subject_are_distinct(statement):
    one, other = statement("likes tea", "小明"), statement("likes tea", "小红")
    assert relate(one, other).kind == "distinct"


def test_a_named_owner_and_the_word_user_are_one_subject(statement):
    one, other = statement("I like tea", "the user"), statement("I like tea", "")
    assert relate(one, other).kind == "duplicate"


def test_a_threshold_of_more_than_one_never_acts(statement):
    old, new = statement("I love Chinese food"), statement("I hate Chinese food")
    never = {"duplicate": 1.1, "supersede": 1.1}
    assert relate(old, new, thresholds=never).kind == "distinct"


def test_many_are_judged_as_each_alone(statement):
    new = statement("I moved to Denver")
    olds = [statement("I live in Boston"), statement("I like tea")]
    alone = [relate(old, new) for old in olds]
    assert [r.kind for r in relate_many(olds, new)] == [r.kind for r in alone]
    assert [r.p for r in relate_many(olds, new)] == pytest.approx([r.p for r in alone])


def test_nothing_old_gives_nothing():
    assert relate_many([], Statement("I like tea")) == []


@pytest.mark.parametrize("text", ["", " ", "???", "a" * 8000, "不" * 8000, "1" * 400])
def test_odd_texts_are_judged_without_error(text):
    relation = relate(Statement("I like tea"), Statement(text))
    assert relation.kind in ("distinct", "refines")


def test_signals_hold_the_probabilities_of_all_kinds(statement):
    signals = relate(statement("I like tea"), statement("I like coffee")).signals
    total = sum(value for name, value in signals.items() if name.startswith("p_"))
    assert total == pytest.approx(1.0)


def far_apart(old, new):
    """Two texts whose vectors have nothing in common."""
    one, other = np.eye(2, 384, dtype=np.float32)
    return relate(Statement(old, vector=one), Statement(new, vector=other))


def test_what_the_vectors_put_far_apart_is_distinct_unread():
    relation = far_apart("I live in Bonn", "I live in Berlin")
    assert (relation.kind, relation.p) == ("distinct", 1.0)
    assert "jaccard" not in relation.signals


def test_equal_words_are_equal_however_far_their_vectors():
    assert far_apart("I like tea", "i like TEA!").kind == "duplicate"


def test_a_change_is_read_however_far_and_needs_a_value_of_the_same_kind():
    assert far_apart("I like blue", "Change the theme to black").kind == "supersede"
    other = far_apart("I am short-sighted", "I used to love rafting, not any more")
    assert other.kind == "distinct"
    assert "jaccard" in other.signals


def test_far_and_near_ones_keep_their_order(statement):
    new = statement("I live in Berlin")
    olds = [statement(t) for t in ("The train was late", "I live in Bonn", "Buy milk")]
    kinds = [relation.kind for relation in relate_many(olds, new)]
    assert kinds == ["distinct", "supersede", "distinct"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Bonn", "I live in Berlin"),
        ("My blood type is A", "My blood type is O"),
        ("我在百度上班", "我在京东上班"),
        ("我家的猫叫团子", "我家的猫叫麻薯"),
        ("Keep the logs", "Throw the logs away"),
        ("我的签证通过了", "我的签证被拒了"),
    ],
)
def test_another_value_or_the_opposite_in_the_same_frame_supersedes(kind, old, new):
    assert kind(old, new) == "supersede"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("我的网名是清风", "我妈妈退休了"),
        ("我属鼠", "我妈妈退休了"),
        ("I'm short-sighted", "I used to love rafting, but I'm not into it anymore"),
        ("I play the violin", "I play the drums"),
        ("My cat's name is Luna", "My dog's name is Nala"),
        ("I live in Bonn", "I was born in Berlin"),
    ],
)
def test_unrelated_facts_and_look_alikes_stay(kind, old, new):
    assert kind(old, new) in ("distinct", "refines")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Remind me to call Sam", "Remind me to call Ruth"),
        ("I called Tanya yesterday", "I called Rupert yesterday"),
        ("I have lunch with Karim on Friday", "I have lunch with Elise on Friday"),
        ("记得给小吴回电话", "记得给小郑回电话"),
        ("我用安卓手机", "我奶奶终于换了苹果手机，天天给我打视频"),
        ("小余在阿里上班", "小齐在腾讯上班"),
    ],
)
def test_things_to_do_and_what_others_have_stand_beside_each_other(kind, old, new):
    assert kind(old, new) == "distinct"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("我开丰田", "我开本田"),
        ("我信佛教", "我信基督教"),
        ("I drive a Peugeot", "I drive a Tesla"),
        (
            "I take the tram to work",
            "They closed my tram line for a year, so I cycle to work now",
        ),
    ],
)
def test_a_verb_with_one_object_has_a_new_one(kind, old, new):
    assert kind(old, new) == "supersede"
