"""Words that are known, but not current, are judged like new ones."""

import pytest

from memory_core.actions import changes, memories
from memory_core.contracts.enums import Status
from memory_core.contracts.memories import Draft
from memory_core.models import Memory
from tests.saving.conftest import OWNER

pytestmark = pytest.mark.django_db
AT_HOME = {"category": "profile"}


def current():
    rows = Memory.unscoped.filter(status=Status.ACTIVE)
    return sorted(rows.values_list("content", flat=True))


@pytest.mark.parametrize(
    ("one", "other"),
    [("I live in Berlin", "I live in Munich"), ("我住在北京", "我住在上海")],
)
def test_a_user_may_go_back_to_what_was_replaced(say, one, other):
    say(one, **AT_HOME)
    between = say(other, **AT_HOME)
    again = say(one, **AT_HOME)
    assert (again.event, again.superseded) == ("added", (between.memory_id,))
    assert current() == [one]
    assert say(other, **AT_HOME).superseded == (again.memory_id,)
    assert current() == [other]


@pytest.mark.parametrize("status", [Status.PENDING, Status.REJECTED])
def test_an_agents_guess_of_the_same_words_does_not_stand_in_a_users_way(
    say, tool, status
):
    berlin = say("I live in Berlin", **AT_HOME)
    guess = say("I live in Munich", source_kind="inference", by=tool, **AT_HOME)
    assert guess.status == "pending"
    Memory.unscoped.filter(pk=guess.memory_id).update(status=status)
    told = say("I live in Munich", **AT_HOME)
    assert told.superseded == (berlin.memory_id,)
    assert current() == ["I live in Munich"]


def test_what_comes_back_from_the_archive_replaces_what_it_contradicts(say, on):
    berlin = say("I live in Berlin", **AT_HOME)
    on(changes.archive, berlin)
    munich = say("I live in Munich", **AT_HOME)
    assert say("I live in Berlin", **AT_HOME).superseded == (munich.memory_id,)
    assert current() == ["I live in Berlin"]


def test_words_that_are_retired_between_look_and_lock_are_judged_all_the_same(
    say, voice
):
    """The drafts of a batch are looked up together and stored one by one."""
    say("I live in Berlin", **AT_HOME)
    drafts = [
        Draft(
            owner_id=OWNER,
            namespace="shop",
            content=content,
            category="profile",
            source_kind="user_input",
        )
        for content in ("I live in Munich", "I live in Berlin")
    ]
    munich, berlin = memories.remember_many(drafts=drafts, by=voice)
    assert berlin.superseded == (munich.memory_id,)
    assert berlin.embedding == "ready"
    assert current() == ["I live in Berlin"]


def test_the_same_words_about_somebody_else_replace_what_is_known_of_them(say):
    say("lives in Berlin", category="profile", subject="Ann")
    paris = say("lives in Paris", category="profile", subject="Bob")
    moved = say("lives in Berlin", category="profile", subject="Bob")
    assert moved.superseded == (paris.memory_id,)
