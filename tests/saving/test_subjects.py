"""Whom a statement is about: as sent; where it was said parts no statements."""

import pytest

from memory_core.actions import changes
from memory_core.contracts.enums import Status
from tests.saving.conftest import row

pytestmark = pytest.mark.django_db


def test_what_was_said_on_one_channel_is_replaced_on_another(say):
    old = say("I live in Boston", category="profile", source_name="wechat")
    new = say("I moved to Denver last month", category="profile", source_name="web")
    assert row(new).status == Status.ACTIVE
    assert row(old).superseded_by_id == new.memory_id


def test_the_same_words_on_another_channel_are_one_memory(say):
    first = say("I like tea", source_name="wechat")
    again = say("i like tea!", source_name="conversation-17")
    assert (again.event, again.memory_id) == ("reinforced", first.memory_id)


def test_speakers_whose_subjects_are_sent_stay_apart(say):
    ann = say("I live in Boston", source_name="Ann", subject="Ann")
    bob = say("I moved to Denver last month", source_name="Bob", subject="Bob")
    assert row(ann).status == row(bob).status == Status.ACTIVE


def test_a_subject_that_was_not_sent_is_still_the_sources_name(say):
    memory = row(say("I like tea", source_name="Ann"))
    assert (memory.subject, memory.subject_is_assumed) == ("Ann", True)
    assert memory.stated_subject == ""


def test_a_subject_sent_later_parts_statements_from_then_on(say, voice, scope_of):
    ann = say("I live in Boston", category="profile", source_name="chat")
    changes.correct(
        by=voice,
        scope=scope_of(voice),
        memory_id=ann.memory_id,
        changes={"subject": "Ann"},
    )
    assert row(ann).stated_subject == "Ann"
    say("I moved to Denver last month", category="profile", subject="Bob")
    assert row(ann).status == Status.ACTIVE
