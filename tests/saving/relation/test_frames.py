import pytest

from memory_core.saving.relation.frames import compare_frames, part
from memory_core.saving.relation.reading import read


def frame(old, new):
    return compare_frames(read(old), read(new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My dentist is Dr. Patel", "My dentist is Dr. Novak"),
        ("My cat's name is Luna", "My cat's name is Nala"),
        ("我家的猫叫团子", "我家的猫叫麻薯"),
        ("我们的主管是小何", "我们的主管是老梁"),
        ("公司在中关村", "公司在望京"),
        ("我叫李雷", "我叫李明"),
    ],
)
def test_a_named_place_with_one_bearer_has_one_filler(old, new):
    assert frame(old, new)["frame_one"] == 1.0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I play the violin", "I play the drums"),
        ("One of our clients is Nestle", "One of our clients is Danone"),
        ("My cat's name is Luna", "My dog's name is Nala"),
        ("我会拉小提琴", "我会打架子鼓"),
        ("我们的客户之一是美的", "我们的客户之一是长虹"),
        ("我的牙医是孙大夫", "我的牙医休假了"),
    ],
)
def test_what_may_stand_beside_another_is_no_such_place(old, new):
    assert frame(old, new)["frame_one"] == 0.0


def test_an_adjective_in_the_place_of_a_name_is_seen_by_its_small_letters():
    assert frame("My manager is Priya", "My manager is Tomas")["frame_proper"] == 1.0
    assert frame("My manager is Priya", "My manager is tired")["frame_proper"] == -1.0


def test_fillers_that_share_small_words_are_two_places():
    one = frame("小刘在百度上班", "小刘在京东上班")["frame_swaps"]
    assert frame("小刘在百度上班", "小吴在京东上班")["frame_swaps"] > one


def test_equal_texts_part_nowhere():
    parting = part(["a", "b"], ["a", "b"])
    assert (parting.old, parting.new, parting.is_filler) == ([], [], False)
    assert frame("I like tea", "I like tea")["frame_swaps"] == 0.0


@pytest.mark.parametrize(("old", "new"), [("", ""), ("", "I like tea"), ("。", "？")])
def test_texts_without_words_have_no_frame(old, new):
    assert frame(old, new)["frame_filler"] == 0.0


def test_with_whom_something_is_done_fills_no_place():
    pair = ("I have lunch with Karim on Friday", "I have lunch with Elise on Friday")
    assert frame(*pair)["frame_with"] == 1.0
    assert frame("I live in Bonn", "I live in Berlin")["frame_with"] == 0.0
