"""The encoder against a server that misbehaves in every way that servers do."""

import json
from datetime import UTC, datetime

import pytest

from memory_core.contracts.sessions import Message
from memory_core.encoding.language_model import LanguageModelEncoder
from memory_core.encoding.protocol import Excerpt
from memory_core.llm import ChatModel, LanguageModelUnavailable
from memory_core.llm.judging import is_suspicious
from memory_core.llm.reranking import reranked
from tests.encoding.chat_server import serving

NOW = datetime(2026, 3, 1, tzinfo=UTC)
ITEM = {
    "type": "preference",
    "content": "Likes tea",
    "importance": 0.6,
    "confidence": 0.9,
}
GOOD = json.dumps([ITEM])


def item(**changes):
    return json.dumps([{**ITEM, **changes}])


def encode(script, timeout_seconds=5.0, api_key="k"):
    messages = (Message("user", "I drink tea", NOW, 0),)
    excerpt = Excerpt(messages, "before", ("Lives in Bonn",), NOW)
    with serving(script) as server:
        model = ChatModel(server.url, "small", api_key, timeout_seconds)
        return LanguageModelEncoder(model).encode(excerpt), server


def always(answer):
    return lambda handler, _: handler.reply(answer)


def test_messages_summary_and_known_memories_are_asked_about():
    _, server = encode(always(GOOD))
    [asked] = server.requests
    sent = json.loads(asked["messages"][1]["content"])
    assert asked["model"] == "small"
    assert server.keys == ["Bearer k"]
    assert sent["messages"][0]["content"] == "I drink tea"
    assert (sent["summary"], sent["known"]) == ("before", ["Lives in Bonn"])


@pytest.mark.parametrize(
    "answer",
    [
        GOOD,
        f"Sure! Here you are:\n```json\n{GOOD}\n```\nAnything else?",
        json.dumps({"memories": [ITEM]}),
        json.dumps(ITEM),
        f"I found one. {GOOD} That is all [of it].",
    ],
)
def test_json_is_found_whatever_stands_around_it(answer):
    encoded, server = encode(always(answer))
    assert [one.content for one in encoded.candidates] == ["Likes tea"]
    assert encoded.candidates[0].source_kind == "inference"
    assert len(server.requests) == 1


@pytest.mark.parametrize("answer", [GOOD[:-20], "I cannot do that.", "", "42", "null"])
def test_an_answer_without_json_is_asked_for_once_more_then_dropped(answer):
    encoded, server = encode(always(answer))
    assert encoded.candidates == ()
    assert encoded.dropped == {"garbled_answer": 2}
    assert len(server.requests) == 2


def test_the_second_answer_counts():
    encoded, _ = encode(lambda h, n: h.reply("hm" if n == 1 else GOOD))
    assert len(encoded.candidates) == 1
    assert encoded.dropped == {"garbled_answer": 1}


@pytest.mark.parametrize(
    "answer",
    [
        item(type="mood"),
        item(type=None),
        item(content=""),
        item(content=7),
        item(content=["Likes tea"]),
        item(content="x" * 8001),
        item(content="a\u0000b"),
        item(importance="0.9"),
        item(importance=1.5),
        item(importance=True),
        item(confidence=None),
        item(expire_at="tomorrow"),
        item(expire_at="2026-05-01T00:00:00"),
        item(expire_at=1777777777),
        '["Likes tea"]',
        "[[]]",
        "[null]",
    ],
)
def test_an_item_of_the_wrong_shape_is_dropped_and_counted(answer):
    encoded, server = encode(always(answer))
    assert encoded.candidates == ()
    assert encoded.dropped == {"invalid_item": 1}
    assert len(server.requests) == 1


def test_one_bad_item_spoils_no_other():
    answer = json.dumps([{"type": "fact"}, ITEM, "x"])
    encoded, _ = encode(always(answer))
    assert len(encoded.candidates) == 1
    assert encoded.dropped == {"invalid_item": 2}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"importance": 0.29}, "unimportant"),
        ({"confidence": 0.49}, "uncertain"),
        ({"expire_at": "2026-02-28T00:00:00Z"}, "expired"),
    ],
)
def test_what_is_not_worth_it_is_dropped_and_counted(changes, reason):
    encoded, _ = encode(always(item(**changes)))
    assert (encoded.candidates, encoded.dropped) == ((), {reason: 1})


def test_at_the_limits_it_is_kept():
    changes = {
        "importance": 0.3,
        "confidence": 0.5,
        "expire_at": "2026-03-02T00:00:00Z",
    }
    encoded, _ = encode(always(item(**changes)))
    assert encoded.candidates[0].expire_at == datetime(2026, 3, 2, tzinfo=UTC)


def test_more_items_than_anybody_says_are_cut_off():
    encoded, _ = encode(always(json.dumps([ITEM] * 60)))
    assert len(encoded.candidates) == 50
    assert encoded.dropped == {"too_many": 10}


@pytest.mark.parametrize(
    ("script", "code", "transient"),
    [
        (lambda h, _: h.raw(b"{}", 500), "llm_answered_500", True),
        (lambda h, _: h.raw(b"{}", 503), "llm_answered_503", True),
        (lambda h, _: h.raw(b"{}", 401), "llm_answered_401", False),
        (
            lambda h, _: h.raw(b"", 302, Location="http://127.0.0.1:1/"),
            "llm_answered_302",
            False,
        ),
        (lambda h, _: h.raw(b"<html>"), "llm_garbled", True),
        (lambda h, _: h.raw(b'{"choices": []}'), "llm_garbled", True),
        (lambda h, _: h.reply(None), "llm_garbled", True),
        (lambda h, _: h.hang_up(), "llm_unreachable", True),
        (lambda h, _: h.drip(3), "llm_timeout", True),
        (lambda h, _: h.flood(400), "llm_too_long", False),
    ],
)
def test_a_server_that_fails_is_unavailable(script, code, transient):
    with pytest.raises(LanguageModelUnavailable) as raised:
        encode(script, timeout_seconds=0.5)
    assert (raised.value.code, raised.value.transient) == (code, transient)


def test_too_many_requests_say_when_to_come_back():
    with pytest.raises(LanguageModelUnavailable) as raised:
        encode(lambda h, _: h.raw(b"{}", 429, Retry_After="7"))
    assert raised.value.retry_after == 7


def test_the_key_is_shown_to_nobody():
    assert "k-secret" not in repr(ChatModel("http://x", "m", "k-secret"))


def ranked(answer, texts=("a", "b", "c")):
    with serving(answer if callable(answer) else always(answer)) as server:
        return reranked(ChatModel(server.url, "m", timeout_seconds=0.5), "q", texts)


@pytest.mark.parametrize(
    ("answer", "order"),
    [
        ("[2, 0, 1]", [2, 0, 1]),
        ("Best first: [1]", [1, 0, 2]),
        ("[1, 1, 7, -1, true, 2.0]", [1, 0, 2]),
        ("[]", None),
        ("none", None),
        (lambda h, _: h.raw(b"", 500), None),
        (lambda h, _: h.drip(2), None),
    ],
)
def test_a_second_ranking_is_an_order_of_all_or_nothing(answer, order):
    assert ranked(answer) == order


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [("YES", True), ("No.", False), ("**yes**", True), ("perhaps", None), ("", None)],
)
def test_a_judge_answers_yes_no_or_nothing(answer, verdict):
    with serving(always(answer)) as server:
        assert is_suspicious(ChatModel(server.url, "m"), "note") is verdict
