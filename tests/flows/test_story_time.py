"""Stories of time: what fades, what stays, what ends."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from tests.api.client import HttpAgent
from tests.flows.story import ask, converse, listener, tell

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("vector_space")]


@pytest.fixture
def agent() -> HttpAgent:
    return listener()


def in_days(days: float) -> time_machine.travel:
    return time_machine.travel(timezone.now() + timedelta(days=days), tick=True)


def test_a_week_as_a_vegetarian_fades_and_an_allergy_does_not(agent):
    converse(agent, "ann", "s1", ["this week I eat vegetarian"])
    converse(agent, "ann", "s2", ["I am allergic to peanuts"])
    assert len(ask(agent, "ann", "what may I cook for her?")) == 2
    with in_days(30):
        found = ask(agent, "ann", "what may I cook for her?", touch=False)
    assert found == ["I am allergic to peanuts"]


def test_the_same_in_chinese(agent):
    converse(agent, "ming", "s1", ["我这周吃素"])
    converse(agent, "ming", "s2", ["我对花生过敏"])
    with in_days(30):
        assert ask(agent, "ming", "做饭有什么忌口", touch=False) == ["我对花生过敏"]


def test_a_task_is_there_until_its_deadline_and_then_no_more(agent):
    deadline = datetime.now(UTC) + timedelta(days=20)
    tell(
        agent, "ann", "Send the quarterly report to Lin", category="task",
        expire_at=deadline.isoformat(),
    )  # fmt: skip
    with in_days(19.9):
        answer = agent.post("recall", owner_id="ann", query="report", touch=False)
        [task] = answer.json()["memories"]
        assert task["score"] == pytest.approx(0.6)
    with in_days(20.1):
        assert ask(agent, "ann", "report", touch=False) == []


def test_a_weekend_away_erases_no_profile(agent):
    tell(agent, "ann", "My name is Ann", category="profile")
    tell(agent, "ann", "I work as a nurse in Bonn", category="profile")
    before = set(ask(agent, "ann", "who am I?", touch=False))
    with in_days(3):
        assert set(ask(agent, "ann", "who am I?", touch=False)) == before
        answer = agent.post("context", owner_id="ann", moment="session_start")
        assert "Ann" in answer.json()["text"]
