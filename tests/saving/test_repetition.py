from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from memory_core.contracts.enums import Status
from memory_core.models import Memory, MemoryUse, MemoryVersion, Namespace
from memory_core.saving import lookups
from tests.saving.conftest import row, trust

pytestmark = pytest.mark.django_db

START = datetime(2026, 3, 1, 12, tzinfo=UTC)


def base_of(saved):
    return MemoryUse.objects.get(pk=saved.memory_id).base_score


def test_a_new_statement_is_added_with_the_score_of_its_source(say, tool):
    assert say("我喜欢蓝色").score == pytest.approx(0.6)
    inferred = say("喜欢安静的餐厅", source_kind="inference", by=tool)
    assert (inferred.event, inferred.status) == ("added", "active")
    assert inferred.score == pytest.approx(0.4)
    found = say("北京今天晴", source_kind="tool_result", category="event", by=tool)
    assert found.score == pytest.approx(0.3)


@pytest.mark.parametrize(
    "again", ["我喜欢蓝色", "我喜欢蓝色。", "我喜欢蓝色 ！", "\u200b我喜欢蓝色"]
)
def test_the_same_words_are_one_memory(say, again):
    first = say("我喜欢蓝色")
    second = say(again)
    assert second.event == "reinforced"
    assert second.memory_id == first.memory_id
    assert Memory.unscoped.count() == 1


def test_case_and_width_make_no_difference(say):
    first = say("My office is in Room B")
    assert say("my ｏｆｆｉｃｅ is in room b.").memory_id == first.memory_id


def test_a_confirmation_in_another_session_counts_as_rank_one(say):
    with time_machine.travel(START, tick=False):
        first = say("I like blue", session_id="s1")
        again = say("I like blue", session_id="s2")
    assert again.memory_id == first.memory_id
    assert base_of(first) == pytest.approx(0.7)


def test_a_confirmation_is_added_to_the_decayed_base(say):
    with time_machine.travel(START, tick=False):
        first = say("I like blue", session_id="s1")
    with time_machine.travel(START + timedelta(days=60), tick=False):
        again = say("I like blue", session_id="s2")
    assert base_of(first) == pytest.approx(0.6 / 2 + 0.1)
    assert again.score == pytest.approx(0.4)


def test_repetition_in_one_session_adds_nothing(say):
    with time_machine.travel(START, tick=False):
        first = say("I like blue", session_id="s1")
        say("I like blue", session_id="s1")
        say("i like blue!", session_id="s1")
        say("I like blue", session_id="s2")
        say("I like blue", session_id="s2")
    assert base_of(first) == pytest.approx(0.7)


def test_without_sessions_a_confirmation_counts_once_an_hour(say):
    for minutes, base in [(0, 0.6), (10, 0.6), (59, 0.6)]:
        with time_machine.travel(START + timedelta(minutes=minutes), tick=False):
            saved = say("I like blue")
        assert base_of(saved) == pytest.approx(base)
    with time_machine.travel(START + timedelta(hours=3), tick=False):
        assert base_of(say("I like blue")) > 0.69


def test_an_agent_that_repeats_itself_gains_nothing(say, tool):
    inference = {"source_kind": "inference", "by": tool}
    with time_machine.travel(START, tick=False):
        first = say("Likes blue", session_id="s1", **inference)
        for number in range(5):
            say("Likes blue", session_id=f"t{number}", **inference)
    assert base_of(first) == pytest.approx(0.4)
    assert row(first).confidence == pytest.approx(0.6)


def test_a_tool_that_repeats_a_user_changes_nothing_but_the_history(say, tool):
    first = say("I am allergic to peanuts")
    before = row(first)
    again = say("I am allergic to peanuts!", source_kind="tool_result", by=tool)
    after = row(first)
    assert again.memory_id == first.memory_id
    assert (after.content, after.source_id) == (before.content, before.source_id)
    assert after.confirmed_at is None
    noted = MemoryVersion.objects.get(memory=after)
    assert (noted.event, noted.content) == ("reinforced", "I am allergic to peanuts!")


def test_a_user_who_repeats_an_inference_makes_it_his_own(say, tool):
    first = say("Likes jazz", source_kind="inference", by=tool)
    again = say("likes jazz", source_name="小明")
    memory = row(first)
    assert again.memory_id == first.memory_id
    assert memory.content == "likes jazz"
    assert memory.source.kind == "user_input"
    assert memory.confidence == 1.0
    assert memory.version == 2


def test_the_same_words_about_somebody_else_are_another_memory(say):
    first = say("likes blue", subject="小明")
    other = say("likes blue", subject="小红")
    assert (other.event, other.memory_id == first.memory_id) == ("added", False)


def test_an_event_of_another_day_is_another_event(say):
    day = {"category": "event", "occurred_at": START}
    first = say("Went jogging", **day)
    assert say("Went jogging", **day).memory_id == first.memory_id
    other = say("Went jogging", **day | {"occurred_at": START + timedelta(days=1)})
    assert other.event == "added"


def test_what_is_said_again_comes_back_from_the_archive(say, voice):
    first = say("I play the cello")
    memory = row(first)
    Memory.unscoped.filter(pk=memory.pk).update(status=5, archived_at=START)
    again = say("I play the cello")
    assert (again.memory_id, again.status) == (first.memory_id, "active")


def test_another_wording_is_kept_behind_the_first(say):
    first = say("I am allergic to peanuts", category="constraint", session_id="s1")
    second = say("I have a peanut allergy", category="constraint", session_id="s2")
    assert (second.event, second.memory_id) == ("reinforced", first.memory_id)
    assert row(first).content == "I am allergic to peanuts"
    merged = Memory.unscoped.get(merged_into=first.memory_id)
    assert merged.content == "I have a peanut allergy"
    assert merged.status == Status.SUPERSEDED
    assert base_of(first) == pytest.approx(0.7, abs=1e-3)


def test_a_merged_wording_said_again_adds_no_row(say):
    first = say("I am allergic to peanuts", category="constraint")
    say("I have a peanut allergy", category="constraint")
    again = say("i have a peanut allergy!", category="constraint")
    assert again.memory_id == first.memory_id
    assert Memory.unscoped.count() == 2


def test_the_more_trusted_wording_answers(say, tool):
    trust("user_input", "wechat")
    first = say("I have a peanut allergy", source_kind="inference", by=tool)
    second = say("I am allergic to peanuts", source_name="wechat")
    assert second.event == "reinforced"
    assert second.memory_id != first.memory_id
    assert row(first).merged_into_id == second.memory_id
    assert row(second).content == "I am allergic to peanuts"


def test_history_loaded_backwards_keeps_the_first_wording(say):
    later = say(
        "I have a peanut allergy",
        session_id="s2",
        observed_at=START + timedelta(days=30),
    )
    earlier = say("I am allergic to peanuts", session_id="s1", observed_at=START)
    assert row(later).merged_into_id == earlier.memory_id
    memory = row(earlier)
    assert memory.observed_at == START
    assert memory.confirmed_at == START + timedelta(days=30)
    assert base_of(earlier) == pytest.approx(0.6 * 0.5**0.5 + 0.1)


@pytest.mark.parametrize("hidden", ["\u202e", "\u200b" * 12])
@pytest.mark.parametrize("kind", ["user_input", "tool_result"])
def test_a_wording_that_the_filter_holds_replaces_none(say, hidden, kind):
    """It has the key of the clean words, since what is invisible is folded away."""
    first = say("The meeting room is on floor three", source_kind=kind)
    again = say(
        f"The meeting{hidden} room is on floor three",
        source_kind=kind,
        observed_at=START,
    )
    assert (again.memory_id, again.event) == (first.memory_id, "reinforced")
    memory = row(first)
    assert (memory.content, memory.version) == ("The meeting room is on floor three", 1)
    assert not MemoryVersion.objects.filter(memory=memory).exists()


def test_what_has_to_wait_comes_not_back_from_the_archive_by_repetition(say, tool):
    sent = {"source_kind": "inference", "by": tool, "category": "fact"}
    first = say("Seems to play the cello", **sent)
    Memory.unscoped.filter(pk=first.memory_id).update(status=5, archived_at=START)
    Namespace.objects.filter(name="shop").update(hold_inferences="all")
    lookups.forget()
    say("Seems to play the cello", **sent)
    assert row(first).status == Status.ARCHIVED


def test_a_permanent_wording_is_adopted_from_nobody_less_trusted(say, tool):
    """A person made an inference permanent; its rank is still that of an inference."""
    first = say("Allergic to peanuts", source_kind="inference", by=tool)
    Memory.unscoped.filter(pk=first.memory_id).update(tier="permanent")
    say("ALLERGIC, to peanuts?!", source_kind="inference", by=tool, observed_at=START)
    say("allergic to peanuts!!", source_kind="inference", by=tool, observed_at=START)
    assert row(first).content == "Allergic to peanuts"
