"""Stories told in conversations: said once, known later, forgotten when asked."""

import pytest

from memory_core.models import Memory, MemoryTerm, MemoryVector, RawTurns
from tests.api.client import HttpAgent
from tests.flows.story import ask, block, converse, listener, tell, work
from tests.saving.conftest import trust

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("vector_space")]

SMALL_TALK = [f"Let us look at the next item, number {n}." for n in range(18)]
CHINESE_TALK = [f"我们看下一个问题，第{n}个" for n in range(18)]


@pytest.fixture
def agent() -> HttpAgent:
    return listener()


def test_a_name_and_a_stack_of_round_1_are_known_in_round_20(agent):
    first = "My name is Ann. We mainly use Django with PostgreSQL."
    converse(agent, "ann", "s1", [first, *SMALL_TALK], max_tokens=256)
    window = agent.get("/v1/sessions/s1", owner_id="ann").json()["messages"]
    assert not any("Django" in one["content"] for one in window)
    text = block(agent, "ann", "Which web framework does my project use?")
    assert "Django with PostgreSQL" in text
    assert "Ann" in block(agent, "ann", "What is my name?")


def test_the_same_in_chinese(agent):
    first = "我叫小明。我们主要用Django和PostgreSQL。"
    converse(agent, "ming", "s1", [first, *CHINESE_TALK], max_tokens=256)
    assert "Django和PostgreSQL" in block(agent, "ming", "我的项目用什么框架")
    assert "小明" in block(agent, "ming", "我叫什么名字")


def test_a_plan_respects_what_was_ruled_out(agent):
    trust("user_input", "listener", namespace="family")
    converse(agent, "ann", "s1", ["I said no Java."])
    text = block(agent, "ann", "Draft an architecture plan for the payment service")
    head, _, _ = text.partition("What was remembered")
    assert "The user's own wishes: follow them." in head
    assert "I said no Java." in head


def test_what_the_user_asks_to_forget_is_really_gone(agent):
    converse(agent, "ming", "s1", ["我的地址是南京路5号", "我喜欢蓝色"])
    assert "我的地址是南京路5号" in ask(agent, "ming", "我的地址")
    converse(agent, "ming", "s2", ["忘掉我之前说的地址"])
    assert ask(agent, "ming", "我的地址", include=["archived"]) == ["我喜欢蓝色"]
    kept = set(Memory.unscoped.values_list("pk", flat=True))
    assert len(kept) == 1
    for rows in (MemoryVector.objects, MemoryTerm.objects):
        assert set(rows.values_list("memory_id", flat=True)) == kept
    assert not any("南京路" in str(one.messages) for one in RawTurns.objects.all())


def test_english_here_and_chinese_in_general_are_both_said(agent):
    tell(agent, "ming", "The user prefers Simplified Chinese", category="preference")
    converse(agent, "ming", "s1", ["Please answer in English in this conversation"])
    text = block(agent, "ming", "which language?", session_id="s1")
    assert "for now this conversation counts" in text
    assert ask(agent, "ming", "language preference") == [
        "The user prefers Simplified Chinese"
    ]
    other = block(agent, "ming", "which language?", session_id="s2")
    assert "for now this conversation counts" not in other


def test_closing_a_session_keeps_what_was_said_again_and_again(agent):
    said = "our deploys for my team go through staging first"
    converse(agent, "ann", "s1", [said, "fine", said])
    assert ask(agent, "ann", "how do deploys work") == []
    body = {"owner_id": "ann", "encode": True, "outcome": "completed"}
    assert agent.call("POST", "/v1/sessions/s1/close", body).status_code == 200
    work()
    assert ask(agent, "ann", "how do deploys work") == [said]
