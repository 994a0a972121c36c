"""Whatever is sent: a 4xx with a stable code, nothing stored, nothing repeated."""

from typing import Any

import pytest

from memory_core.models import Memory, Owner
from tests.api.client import HttpAgent, new_agent

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("vector_space")]

SAVE = "/v1/memory/save"
RECALL = "/v1/memory/recall"
POSTS = (
    "save", "save/batch", "recall", "update", "rollback", "restore", "unmerge",
    "delete", "forget", "feedback", "consolidate",
)  # fmt: skip


@pytest.fixture
def agent() -> HttpAgent:
    return new_agent()


def is_refused(answer: Any, *statuses: int) -> bool:
    assert answer["Content-Type"] == "application/problem+json"
    body = answer.json()
    assert body["status"] == answer.status_code
    assert body["code"]
    assert body["request_id"] == answer["X-Request-ID"]
    assert not Memory.unscoped.exists()
    return answer.status_code in (statuses or (400, 422))


@pytest.mark.parametrize("verb", POSTS)
@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"[]", b"null", b"1", b'"x"', b"\xff\xfe{\x00}\x00", b"{}",
        b'{"owner_id": NaN}', b'{"owner_id": "\\ud800"}', b'{"owner_id": "a\\u0000"}',
        b'{"owner_id": {"$ne": 1}}', b'{"owner_id": ["u"]}', b'{"owner_id": true}',
        b'{"owner_id": "' + b"x" * 300 + b'"}', b'{"a":' * 5000 + b"1" + b"}" * 5000,
    ],
)  # fmt: skip
def test_a_body_that_is_not_what_was_promised_is_refused(agent, verb, body):
    if verb == "consolidate" and body in {b"", b"{}"}:
        pytest.skip("this one needs no field")
    assert is_refused(agent.call("POST", f"/v1/memory/{verb}", body))


@pytest.mark.parametrize(
    "kind",
    [
        "application/json; charset=bz2_codec",
        "application/json; charset=zlib_codec",
        "application/json; charset=rot13",
        "application/json; charset=utf-7",
        "application/json; charset=utf-16",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/plain",
        "application/xml",
        "",
    ],
)
def test_another_kind_of_body_is_refused(agent: HttpAgent, kind: str):
    raw = b'{"owner_id": "u", "content": "c"}'
    answer = agent.call("POST", SAVE, raw, **{"Content-Type": kind})
    assert is_refused(answer, 415)


@pytest.mark.parametrize("coding", ["gzip", "br", "deflate", "zstd"])
def test_a_compressed_body_is_refused(agent: HttpAgent, coding: str):
    answer = agent.call("POST", SAVE, b"\x1f\x8b", **{"Content-Encoding": coding})
    assert is_refused(answer, 415)


def test_a_body_over_the_limit_is_refused(agent: HttpAgent):
    filled = b'{"owner_id": "u", "content": "' + b"x" * (1024 * 1024) + b'"}'
    assert is_refused(agent.call("POST", SAVE, filled), 413)


def test_a_batch_may_be_larger(agent: HttpAgent):
    item = {"owner_id": "u", "content": "x", "metadata": {"a": "y" * 20_000}}
    answer = agent.call("POST", f"{SAVE}/batch", {"items": [item] * 100})
    assert answer.status_code == 200
    assert {r["status"] for r in answer.json()["results"]} == {422}


@pytest.mark.parametrize("count", [0, 201])
def test_a_batch_holds_1_to_200_items(agent: HttpAgent, count: int):
    items = [{"owner_id": "u", "content": "c"}] * count
    assert is_refused(agent.call("POST", f"{SAVE}/batch", {"items": items}), 422)


@pytest.mark.parametrize(
    "wrong",
    [
        {"content": ""},
        {"content": "   "},
        {"content": "\u0301" * 50},
        {"content": "x" * 8001},
        {"content": "e" + "\u0301" * 9000},
        {"content": None},
        {"importance": 1e308},
        {"importance": -0.1},
        {"importance": "0.5"},
        {"importance": True},
        {"confidence": 2},
        {"position": 2**63},
        {"position": -1},
        {"position": 1.0},
        {"category": "secret"},
        {"tier": "eternal"},
        {"source": "user_input"},
        {"source": {"kind": "root"}},
        {"source": {"kind": "user_input", "trust": "trusted"}},
        {"observed_at": "2026-03-01T09:30:00"},
        {"observed_at": "2999-01-01T00:00:00Z"},
        {"observed_at": 0},
        {"expire_at": "0000-00-00"},
        {"tags": "one"},
        {"tags": ["x"] * 51},
        {"tags": [""]},
        {"tags": ["a\x00"]},
        {"entities": [["x"]]},
        {"related": ["1"]},
        {"metadata": []},
        {"metadata": {"a\x00": 1}},
        {"metadata": {"a": 2**70}},
        {"session_id": "s\x00"},
        {"external_id": "x" * 201},
        {"owner_id": " padded "},
        {"status": "active"},
        {"embedding": [0.0]},
        {"namespace": ""},
    ],
)
def test_a_save_with_one_wrong_value_is_refused_and_names_the_field(agent, wrong):
    body = {"owner_id": "u", "content": "My cat is called Biscuit", **wrong}
    answer = agent.call("POST", SAVE, body)
    assert is_refused(answer, 422)
    fields = {error["field"].partition(".")[0] for error in answer.json()["errors"]}
    assert fields == set(wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        {"query": ""},
        {"query": "x" * 1001},
        {"query": "a\x00"},
        {"top_k": 0},
        {"top_k": -1},
        {"top_k": 10**9},
        {"top_k": "5"},
        {"min_score": 2},
        {"min_score": -1},
        {"token_budget": 0},
        {"as_of": "yesterday"},
        {"purpose": "anything"},
        {"explain": 1},
        {"touch": "true"},
        {"include": ["erased"]},
        {"rerank": "gpt"},
        {"filter": {"category__regex": ".*"}},
        {"filter": {"owner_id": "other"}},
        {"filter": {"metadata": []}},
        {"filter": {"tags": []}},
        {"namespaces": "team"},
        {"namespaces": [1]},
        {"owner": "other"},
    ],
)
def test_a_recall_with_one_wrong_value_is_refused_and_names_the_field(agent, wrong):
    answer = agent.call("POST", RECALL, {"owner_id": "u", "query": "cat", **wrong})
    assert is_refused(answer, 422)
    fields = {error["field"].partition(".")[0] for error in answer.json()["errors"]}
    assert fields == set(wrong)


def test_what_was_sent_is_not_repeated_in_the_answer(agent: HttpAgent):
    canary = "canary-4711"
    bodies = [
        {"owner_id": "u", "content": canary, "category": canary},
        {"owner_id": "u", "content": canary, "observed_at": canary},
        {"owner_id": "u", "content": canary, "related": [canary]},
        {"owner_id": "u", "content": [canary]},
    ]
    for body in bodies:
        assert canary not in agent.call("POST", SAVE, body).content.decode()


@pytest.mark.parametrize(
    "query",
    [
        "",
        "owner_id=",
        "owner_id=a&owner_id=b",
        "owner_id=u&limit=0",
        "owner_id=u&limit=-1",
        "owner_id=u&limit=1e3",
        "owner_id=u&limit=%EF%BC%91",
        "owner_id=u&limit=99999999999999999999",
        "owner_id=u&category=nothing",
        "owner_id=u&category__in=fact",
        "owner_id=u&order_by=content",
        "owner_id=u&status=erased",
        "owner_id=%00",
        "owner_id=u%00",
        "owner_id=u&cursor=x",
        "owner_id=u&cursor=%00",
        "owner_id=u&tags=a%00",
    ],
)
def test_a_query_string_that_is_not_what_was_promised_is_refused(agent, query):
    assert is_refused(agent.call("GET", f"/v1/memory?{query}"), 422)


def test_an_owner_of_odd_letters_is_an_owner_like_any_other(agent: HttpAgent):
    for owner in ("用户", "a/b", "%", "_", "'; DROP TABLE x; --", "🙂", "a\u202eb"):
        saved = agent.post("save", owner_id=owner, content="My cat is called Biscuit")
        assert saved.status_code == 201, owner
        listed = agent.get("/v1/memory", owner_id=owner).json()["memories"]
        assert len(listed) == 1, owner
    assert Owner.objects.count() == 7


@pytest.mark.parametrize("key", ["", "x" * 191, "a\x07", "ä"])
def test_an_idempotency_key_that_cannot_be_kept_is_refused(agent: HttpAgent, key: str):
    body = {"owner_id": "u", "content": "My cat is called Biscuit"}
    answer = agent.call("POST", SAVE, body, **{"Idempotency-Key": key})
    assert is_refused(answer, 422)
