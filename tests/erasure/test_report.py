"""What a person is told that is held about them: the same stores as an erasure."""

import pytest
from django.utils import timezone

from memory_core import erasers
from memory_core.erasure.report import report
from memory_core.recall import flushing
from tests.erasure.conftest import NAME, OTHER, SUBJECT, ask, begin, work

pytestmark = pytest.mark.django_db


def test_each_memory_tells_where_it_came_from_and_who_was_given_it(person, say, voice):
    say("Seems to like green tea", source_kind="inference")
    told = report(SUBJECT, now=timezone.now())
    texts = {one["content"]: one for one in told.memories}
    said = texts[f"I am {NAME} and like green tea"]
    guessed = texts["Seems to like green tea"]
    assert (said["source_kind"], said["is_inferred"]) == ("user_input", False)
    assert (guessed["source_kind"], guessed["is_inferred"]) == ("inference", True)
    assert said["source_name"] == NAME
    assert said["served"] == {"voice": 1}
    assert guessed["served"] == {}


def test_it_has_conversations_queries_feedback_and_sessions(person):
    told = report(SUBJECT, now=timezone.now())
    [turns] = told.stores["raw_turns"]
    assert "peanuts" in str(turns["messages"])
    [query] = told.stores["recall_samples"]
    assert query["query"] == "what does the user like?"
    assert told.stores["feedback"][0]["note"] == "about tea"
    assert "peanuts" in str(told.stores["sessions"])
    assert told.stores["owners"][0]["external_id"] == SUBJECT.owner_ids[0]
    assert told.stores.keys() <= {one.store for one in erasers.registered()}


def test_it_names_the_agents_that_were_given_memories(person, voice):
    ask(voice, "what does the user like?")
    flushing.flush()
    [agent] = report(SUBJECT, now=timezone.now()).recipients
    assert (agent.agent, agent.memories, agent.served) == ("voice", 1, 2)


def test_nothing_of_anybody_else_is_in_it(person, say, voice):
    say(f"My boss is {NAME}", OTHER)
    ask(voice, "who is the boss?", OTHER)
    flushing.flush()
    assert "boss" not in repr(report(SUBJECT, now=timezone.now()))


def test_after_the_erasure_it_is_empty(person):
    work(begin())
    told = report(SUBJECT, now=timezone.now())
    assert (told.memories, dict(told.stores), told.recipients) == ((), {}, ())
