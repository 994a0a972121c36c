"""Recall in the order of a language model."""

import json

import pytest

from tests.api.client import new_agent
from tests.encoding.conftest import language_model, vector_space

__all__ = ["language_model", "vector_space"]
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("vector_space")]


@pytest.fixture
def agent():
    agent = new_agent()
    for content in ("I like tea", "I like coffee", "I like cocoa"):
        agent.post("save", owner_id="ming", content=content, category="event")
    return agent


def recalled(agent, **more):
    body = {"owner_id": "ming", "query": "which drink?", "rerank": "llm", **more}
    answer = agent.post("recall", **body)
    assert answer.status_code == 200, answer.json()
    return answer.json()


def prefer(wanted):
    """Put the note with that word first."""

    def script(handler, _):
        asked = json.loads(handler.server_state.requests[-1]["messages"][1]["content"])
        notes = asked["notes"]
        handler.reply(str([n["number"] for n in notes if wanted in n["note"]]))

    return script


@pytest.mark.parametrize("wanted", ["tea", "coffee", "cocoa"])
def test_the_model_decides_what_comes_first(agent, language_model, wanted):
    language_model(prefer(wanted))
    answer = recalled(agent, top_k=1)
    assert [one["content"] for one in answer["memories"]] == [f"I like {wanted}"]
    assert answer["hints"] == []


def test_without_a_model_the_order_is_the_usual_one_and_a_hint_says_so(agent):
    usual = recalled(agent, rerank="none")["memories"]
    answer = recalled(agent)
    ids = [one["memory_id"] for one in answer["memories"]]
    assert ids == [one["memory_id"] for one in usual]
    assert answer["hints"] == ["rerank_unavailable"]


def test_a_model_that_fails_changes_nothing(agent, language_model):
    language_model(lambda h, _: h.raw(b"", 500))
    answer = recalled(agent, top_k=2)
    assert len(answer["memories"]) == 2
    assert answer["hints"] == ["rerank_unavailable"]


def test_the_budget_holds_after_the_second_ranking(agent, language_model):
    language_model(prefer("cocoa"))
    answer = recalled(agent, token_budget=10)
    assert [one["content"] for one in answer["memories"]] == ["I like cocoa"]
    assert answer["withheld"]["budget"] == 2
