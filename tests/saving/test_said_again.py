"""What is sent with known words is kept, and a deadline that is over ends no memory."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from memory_core.actions import recall
from memory_core.contracts.enums import Status
from memory_core.contracts.recall import RecallQuery
from memory_core.models import Memory, MemoryVersion
from memory_core.saving import transitions
from memory_core.saving.bounded import joined_metadata
from tests.saving.conftest import OWNER, row, trust

pytestmark = pytest.mark.django_db

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
SOON, LATER = START + timedelta(hours=1), START + timedelta(days=7)
TASK = "Submit the tax return"


@pytest.fixture
def found(voice):
    """Return what a recall gives."""

    def found(query=TASK):
        result = recall.recall(by=voice, query=RecallQuery(owner_id=OWNER, query=query))
        return [hit.memory.content for hit in result.hits]

    return found


def at(moment):
    return time_machine.travel(moment, tick=False)


def test_a_deadline_that_is_put_off_is_put_off(say, found):
    with at(START):
        first = say(TASK, category="task", expire_at=SOON)
        again = say(TASK, category="task", expire_at=LATER)
    assert (again.event, again.memory_id) == ("updated", first.memory_id)
    assert (again.version, row(first).expire_at) == (2, LATER)
    kept = MemoryVersion.objects.get(memory=first.memory_id)
    assert (kept.event, kept.values["expire_at"]) == ("updated", SOON.isoformat())
    with at(SOON + timedelta(minutes=1)):
        assert found() == [TASK]


def test_an_older_statement_puts_no_deadline_back(say):
    with at(START):
        first = say(TASK, category="task", expire_at=LATER)
        early = START - timedelta(days=1)
        late = say(TASK, category="task", expire_at=SOON, observed_at=early)
    assert (late.event, row(first).expire_at) == ("reinforced", LATER)


@pytest.mark.parametrize("consolidated", [True, False])
@pytest.mark.parametrize("name", ["", "crm-17"])
@pytest.mark.parametrize("deadline", [LATER, None])
def test_what_is_said_after_its_deadline_lives_again(
    say, found, consolidated, name, deadline
):
    with at(START):
        first = say(TASK, category="task", expire_at=SOON, external_id=name)
    with at(SOON + timedelta(minutes=1)):
        assert found() == []
        if consolidated:
            transitions.expire([first.memory_id], now=SOON)
        again = say(TASK, category="task", expire_at=deadline, external_id=name)
        assert (again.status, found()) == ("active", [TASK])
        assert row(again).expire_at == deadline
        assert Memory.unscoped.filter(status=Status.ACTIVE).count() == 1
        again = say(TASK, category="task", expire_at=deadline, external_id=name)
        assert again.event in ("reinforced", "unchanged")


def test_other_words_bring_their_deadline_too(say):
    first = say("I am allergic to peanuts", category="constraint")
    deadline = START + timedelta(days=10_000)
    again = say("I have a peanut allergy", category="constraint", expire_at=deadline)
    assert (again.memory_id, row(first).expire_at) == (first.memory_id, deadline)


def test_a_trusted_user_keeps_known_words_for_good(say):
    trust("user_input", "wechat")
    words = {"content": "Never call me before noon", "category": "constraint"}
    first = say(**words)
    say(**words, tier="permanent")
    assert row(first).tier == "long"
    kept = say(**words, tier="permanent", source_name="wechat")
    assert (kept.event, kept.memory_id) == ("updated", first.memory_id)
    assert row(first).tier == "permanent"
    assert say(**words, source_name="wechat").event == "reinforced"
    assert row(first).tier == "permanent"


def test_tags_metadata_and_importance_add_up(say):
    first = say("I like jazz", tags=("music",), metadata={"a": 1, "b": 1})
    say("I like jazz", tags=("new",), metadata={"b": 2, "c": 2}, importance=0.9)
    memory = row(first)
    assert memory.tags == ["music", "new"]
    assert memory.metadata == {"a": 1, "b": 1, "c": 2}
    assert memory.importance == 0.9
    assert say("I like jazz", tags=("new",), importance=0.3).event == "reinforced"
    assert row(first).importance == 0.9


def test_a_name_that_comes_later_is_the_memorys(say):
    first = say("My plan is Basic", category="fact")
    say("My plan is Basic", category="fact", external_id="crm-17")
    renewed = say("The plan is Gold", category="fact", external_id="crm-17")
    assert (renewed.event, renewed.memory_id) == ("updated", first.memory_id)
    say("The plan is Gold", category="fact", external_id="crm-18")
    assert row(first).external_id == "crm-17"


def test_who_is_less_trusted_renews_nothing(say, tool):
    first = say("I like jazz", tags=("music",))
    sent = {"tags": ("x",), "importance": 1.0, "expire_at": START, "external_id": "e"}
    say("I like jazz", source_kind="inference", by=tool, **sent)
    memory = row(first)
    assert (memory.tags, memory.importance, memory.external_id) == (["music"], 0.5, "")
    assert (memory.expire_at, memory.version) == (None, 1)


def test_tags_add_up_to_what_a_request_may_hold(say):
    first = say("I like jazz", tags=tuple(f"a{n}" for n in range(30)))
    say("I like jazz", tags=tuple(f"b{n}" for n in range(30)))
    assert len(row(first).tags) == 50
    assert say("I like jazz", tags=("c",)).event == "reinforced"


def test_metadata_that_would_be_too_large_stay_as_they_are():
    kept, new = {"x": "x" * 9_000}, {"y": "y" * 9_000}
    assert joined_metadata(kept, new) == kept
    assert joined_metadata(kept, {"y": 1}) == {**kept, "y": 1}
