"""The context block over HTTP, with the real embedder."""

from typing import Any

import pytest

from memory_core.models import MemoryUse, RecallSample
from memory_core.recall import flushing
from tests.api.client import HttpAgent, new_agent
from tests.saving.conftest import trust

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("vector_space")]

WISHES = "The user's own wishes: follow them."


@pytest.fixture
def agent() -> HttpAgent:
    return new_agent(name="ann", namespace="shop", shared={"shop": "rw"})


def tell(agent: HttpAgent, content: str, category: str, **more: Any) -> str:
    more.setdefault("source", {"kind": "user_input", "name": "ming"})
    answer = agent.post(
        "save", owner_id="ming", content=content, category=category, **more
    )
    assert answer.status_code in (200, 201), answer.json()
    return answer.json()["memory_id"]


def ask(agent: HttpAgent, **body: Any) -> dict[str, Any]:
    answer = agent.post("context", **{"owner_id": "ming", "moment": "turn", **body})
    assert answer.status_code == 200, answer.json()
    return answer.json()


def say(agent: HttpAgent, *texts: str, session: str = "s1") -> None:
    messages = [{"role": "user", "content": text} for text in texts]
    body = {"owner_id": "ming", "messages": messages}
    answer = agent.call("PUT", f"/v1/sessions/{session}/messages", body)
    assert answer.status_code == 200, answer.json()


def test_a_rule_stands_in_the_block_of_a_plan_that_never_names_it(agent):
    trust("user_input", "ming")
    tell(agent, "I said no Java", "constraint")
    tell(agent, "I had noodles for lunch", "event")
    block = ask(agent, query="Write a plan for our new backend service")
    head, _, _ = block["text"].partition("What was remembered")
    assert WISHES in head
    assert "I said no Java" in head


def test_wishes_of_a_user_whose_trust_nobody_set_are_information(agent):
    tell(agent, "I said no Java", "constraint")
    text = ask(agent, query="Write a plan for our backend")["text"]
    assert WISHES not in text
    assert "I said no Java" in text


def test_a_session_starts_with_who_the_user_is(agent):
    tell(agent, "我叫小明", "profile")
    tell(agent, "我喜欢蓝色", "preference")
    tell(agent, "我对花生过敏", "constraint")
    tell(agent, "昨天服务器重启了两次", "event")
    text = ask(agent, moment="session_start")["text"]
    assert all(one in text for one in ("小明", "蓝色", "花生"))
    assert "重启" not in text


def test_showing_standing_wishes_keeps_nothing_alive(agent):
    tell(agent, "我对花生过敏", "constraint")
    ask(agent, moment="session_start")
    flushing.flush()
    assert MemoryUse.objects.get().access_count == 0
    assert not RecallSample.objects.exists()
    ask(agent, query="花生过敏吗")
    flushing.flush()
    assert MemoryUse.objects.get().access_count == 1
    assert RecallSample.objects.get().query == "花生过敏吗"


def test_a_strangers_block_is_empty(agent):
    tell(agent, "我对花生过敏", "constraint")
    other = new_agent(name="bob")
    assert ask(other, query="花生")["text"] == ""
    assert ask(agent, owner_id="hong", query="花生")["text"] == ""
    bound = new_agent(name="web", namespace="shop", owner_claim="web-*")
    assert ask(bound, query="花生")["memory_ids"] == []


def test_the_block_takes_a_quarter_of_the_prompt_unless_told_otherwise(agent):
    for number in range(6):
        tell(agent, f"订单{number}的备注：" + "请小心轻放，" * 100, "event")
    assert ask(agent, query="订单备注", debug=True)["debug"]["budget"] == 1024
    small = ask(agent, query="订单备注", prompt_tokens=800, debug=True)
    assert small["debug"]["budget"] == 200
    assert 0 < small["tokens"] <= 200
    assert ask(agent, query="订单备注", token_budget=90)["tokens"] <= 90


def test_debug_says_where_everything_stands_and_what_was_cut(agent):
    for number in range(6):
        tell(agent, f"订单{number}的备注：" + f"第{number}箱请小心轻放，" * 40, "event")
    answer = ask(agent, query="订单备注", token_budget=700, debug=True)
    placed = answer["debug"]["placed"]
    assert {one["how"] for one in placed} >= {"whole", "cut"}
    for one in placed:
        line = answer["text"][one["start"] : one["end"]]
        assert line.startswith("- [event; ") == (one["how"] != "left_out")
    shown = [one["memory_id"] for one in placed if one["how"] != "left_out"]
    assert shown == answer["memory_ids"]


def test_english_in_this_conversation_against_a_chinese_preference(agent):
    tell(agent, "The user prefers Simplified Chinese", "preference")
    say(agent, "Please answer in English in this conversation.")
    answer = ask(agent, query="Which language should I answer in?", session_id="s1")
    [conflict] = answer["conflicts"]
    assert conflict["in_general"] == "The user prefers Simplified Chinese"
    assert (
        'only in this conversation: "Please answer in English in this conversation.";'
        ' in general: "The user prefers Simplified Chinese"' in answer["text"]
    )


def test_what_was_said_more_than_three_rounds_ago_is_no_conflict_any_more(agent):
    tell(agent, "我喜欢蓝色", "preference")
    say(agent, "这次对话里用英文回答")
    tell(agent, "用户偏好简体中文", "preference")
    say(agent, "好的", "继续", "然后呢")
    answer = ask(agent, query="用什么语言回答", session_id="s1")
    assert answer["conflicts"] == []


def test_a_user_who_writes_english_is_told_of_against_a_chinese_preference(agent):
    tell(agent, "用户偏好简体中文", "preference")
    say(agent, "What is the status of my order?", "Can you check it for me please?")
    answer = ask(agent, query="语言偏好", session_id="s1")
    assert [one["now"] for one in answer["conflicts"]] == ["the user writes English"]


def test_what_left_the_window_stands_in_extracts(agent):
    body = {
        "owner_id": "ming",
        "max_tokens": 64,
        "messages": [
            {"role": "user", "content": f"We plan the trip to Hangzhou, day {n}."}
            for n in range(9)
        ],
    }
    agent.call("PUT", "/v1/sessions/s1/messages", body)
    text = ask(agent, query="what next?", session_id="s1")["text"]
    assert "Said earlier in this conversation, in extracts:" in text
    assert "trip to Hangzhou" in text


def test_a_turn_without_a_query_is_refused(agent):
    answer = agent.post("context", owner_id="ming", moment="turn")
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "query"


def test_a_tool_call_for_a_sensitive_action_sees_trusted_words_only(agent):
    tell(agent, "My usual shipping address is Nanjing Road 5", "profile")
    source = {"kind": "tool_result", "name": "crm"}
    tell(agent, "The shipping address is Beijing Road 9", "fact", source=source)
    query = "change the shipping address of the order"
    seen = ask(agent, moment="tool_call", query=query, purpose="sensitive_action")
    assert seen["memory_ids"] == []
    assert seen["withheld"]["untrusted_for_purpose"] >= 1
    trust("user_input", "ming")
    seen = ask(agent, moment="tool_call", query=query, purpose="sensitive_action")
    assert "Nanjing Road" in seen["text"]
    assert "Beijing Road" not in seen["text"]
