"""What the service is for, told through HTTP with the real embedder."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.api.client import HttpAgent, new_agent

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("vector_space")]


def tell(agent: HttpAgent, owner_id: str, content: str, **more: Any) -> str:
    """Save what a user said; return the id."""
    source = {"kind": "user_input", "name": owner_id}
    answer = agent.post(
        "save", owner_id=owner_id, content=content, source=source, **more
    )
    assert answer.status_code == 201, answer.json()
    return answer.json()["memory_id"]


def ask(agent: HttpAgent, owner_id: str, query: str, **more: Any) -> list[str]:
    """Return what is recalled, best first."""
    answer = agent.post("recall", owner_id=owner_id, query=query, **more)
    assert answer.status_code == 200, answer.json()
    return [memory["content"] for memory in answer.json()["memories"]]


@pytest.fixture
def listener() -> HttpAgent:
    return new_agent(name="listener", namespace="family", shared={"family": "rw"})


@pytest.fixture
def helper() -> HttpAgent:
    """Another agent, of another framework, that may read what the first one heard."""
    return new_agent(name="helper", shared={"family": "r"})


def test_another_agent_knows_what_the_user_told_the_first(listener, helper):
    tell(listener, "ming", "我叫小明", category="profile")
    tell(listener, "ming", "我喜欢蓝色", category="preference")
    assert set(ask(helper, "ming", "你了解我什么")) == {"我叫小明", "我喜欢蓝色"}


def test_a_question_about_cool_colours_brings_back_the_blue(listener, helper):
    tell(listener, "ming", "我叫小明", category="profile")
    tell(listener, "ming", "我喜欢蓝色", category="preference")
    tell(listener, "ming", "下周三下午两点去看牙医", category="event")
    tell(listener, "ming", "我养了一只叫豆包的猫", category="fact")
    assert ask(helper, "ming", "有什么偏冷的色调建议", top_k=1) == ["我喜欢蓝色"]


def test_the_same_in_english(listener, helper):
    tell(listener, "ann", "My favourite colour is navy blue", category="preference")
    tell(listener, "ann", "I have a dentist appointment on Friday", category="event")
    tell(listener, "ann", "My cat is called Biscuit", category="fact")
    found = ask(helper, "ann", "Which cool tones would suit me?", top_k=1)
    assert found == ["My favourite colour is navy blue"]


def test_what_one_user_said_never_comes_up_for_another(listener, helper):
    tell(listener, "ming", "我喜欢蓝色", category="preference")
    tell(listener, "hong", "我喜欢红色", category="preference")
    for query in ("我喜欢红色", "喜欢什么颜色", "你了解我什么", "hong"):
        assert ask(helper, "ming", query) == ["我喜欢蓝色"]
        assert ask(helper, "hong", query, top_k=100) == ["我喜欢红色"]


def test_what_is_older_than_its_half_lives_is_left_out_but_not_lost(listener, helper):
    long_ago = datetime.now(UTC) - timedelta(days=4 * 30)
    tell(
        listener,
        "ming",
        "我去杭州看了西湖",
        category="event",
        observed_at=long_ago.isoformat(),
    )
    answer = helper.post("recall", owner_id="ming", query="去过哪里玩").json()
    assert answer["memories"] == []
    assert answer["withheld"]["faded"] == 1
    again = ask(helper, "ming", "去过哪里玩", include=["archived"])
    assert again == ["我去杭州看了西湖"]
