"""Sessions over HTTP, on a real Valkey."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
import time_machine
from django.db import connection, transaction
from django.utils import timezone

from memory_core import isolation, locks, valkey
from memory_core.contracts.callers import Scope
from memory_core.contracts.erasure import Holds, Subject
from memory_core.encoding import ending
from memory_core.erasure.stores import queues
from memory_core.models import ClosedSession, Owner, RawTurns, Tombstone
from memory_core.saving import gates
from memory_core.sessions import store
from tests.api.client import new_agent

pytestmark = pytest.mark.django_db


def put(agent, *texts, session="s1", owner="ming", **more):
    body = {
        "owner_id": owner,
        "messages": [{"role": "user", "content": text} for text in texts],
        **more,
    }
    return agent.call("PUT", f"/v1/sessions/{session}/messages", body)


def close(agent, session="s1", owner="ming", **body):
    body = {"owner_id": owner, "encode": True, **body}
    return agent.call("POST", f"/v1/sessions/{session}/close", body)


@pytest.fixture
def agent():
    return new_agent(name="ann")


def test_what_was_put_is_read_back_with_state_and_tokens(agent):
    answer = put(agent, "你好", state={"plan": ["a", "b"]})
    assert answer.status_code == 200, answer.json()
    put(agent, "天气怎么样", state={"step": 2})
    read = agent.get("/v1/sessions/s1", owner_id="ming").json()
    assert [one["content"] for one in read["messages"]] == ["你好", "天气怎么样"]
    assert read["state"] == {"plan": ["a", "b"], "step": 2}
    assert read["rounds"] == 2
    assert 0 < read["tokens"] <= read["max_tokens"] == 4096


def test_nobody_reads_anothers_session(agent):
    put(agent, "this is between ann and ming")
    stranger = new_agent(name="bob")
    neighbour = new_agent(name="cy", shared={"family": "rw"}, namespace="family")
    for other in (stranger, neighbour):
        assert other.get("/v1/sessions/s1", owner_id="ming").status_code == 404
        assert close(other).status_code == 404
    assert agent.get("/v1/sessions/s1", owner_id="hong").status_code == 404
    assert agent.get("/v1/sessions/s2", owner_id="ming").status_code == 404
    assert agent.get("/v1/sessions/s1", owner_id="ming").status_code == 200


def test_two_agents_of_one_namespace_keep_sessions_of_the_same_name_apart():
    one = new_agent(name="one", shared={"family": "rw"}, namespace="family")
    two = new_agent(name="two", shared={"family": "rw"}, namespace="family")
    put(one, "said to one")
    put(two, "said to two")
    read = two.get("/v1/sessions/s1", owner_id="ming").json()
    assert [message["content"] for message in read["messages"]] == ["said to two"]


def test_a_token_bound_to_another_owner_neither_writes_nor_reads(agent):
    put(agent, "hello")
    bound = new_agent(name="front", owner_claim="web-*")
    answer = put(bound, "hello")
    assert (answer.status_code, answer.json()["code"]) == (403, "owner_not_allowed")
    assert bound.get("/v1/sessions/s1", owner_id="ming").status_code == 404


def test_an_explicit_statement_goes_to_the_encoder_at_once(agent):
    put(agent, "what is the weather like?")
    assert not RawTurns.objects.exists()
    put(agent, "我叫小明")
    turns = RawTurns.objects.get()
    assert [one["content"] for one in turns.messages] == [
        "what is the weather like?",
        "我叫小明",
    ]
    assert turns.due_at is not None
    put(agent, "thanks")
    assert RawTurns.objects.count() == 1


def test_the_tenth_round_goes_to_the_encoder(agent):
    for number in range(9):
        put(agent, f"so {number} it goes")
    assert not RawTurns.objects.exists()
    put(agent, "and on")
    assert len(RawTurns.objects.get().messages) == 10


def test_secrets_are_not_kept_for_seven_days(agent):
    put(agent, "my password is hunter2-Zx9!")
    close(agent)
    [message] = RawTurns.objects.get().messages
    assert "hunter2" not in message["content"]


def test_closing_encodes_the_rest_and_ends_the_session(agent):
    put(agent, "good morning")
    answer = close(agent, outcome="completed").json()
    turns = RawTurns.objects.get()
    assert answer == {"closed": True, "rounds": 1, "encoding_id": str(turns.pk)}
    assert ClosedSession.objects.get().outcome == "completed"
    assert agent.get("/v1/sessions/s1", owner_id="ming").status_code == 404
    assert close(agent).status_code == 404


def test_closing_without_encoding_drops_what_was_said(agent):
    put(agent, "good morning")
    assert close(agent, encode=False).json()["encoding_id"] is None
    assert not RawTurns.objects.exists()
    assert store.of_owner("ming") == []


def test_a_repeated_close_is_answered_the_same(agent):
    put(agent, "good morning")
    body = {"owner_id": "ming", "encode": True}
    path = "/v1/sessions/s1/close"
    first = agent.call("POST", path, body, **{"Idempotency-Key": "k1"})
    again = agent.call("POST", path, body, **{"Idempotency-Key": "k1"})
    assert first.json() == again.json()
    assert ClosedSession.objects.count() == 1


def test_a_session_is_encoded_before_its_time_ends_and_then_goes(agent):
    start = timezone.now()
    put(agent, "good morning", expire_after_seconds=600)
    ending.tend(now=start + timedelta(seconds=400))
    assert not RawTurns.objects.exists()
    ending.tend(now=start + timedelta(seconds=500))
    assert RawTurns.objects.count() == 1
    ending.tend(now=start + timedelta(seconds=550))
    assert RawTurns.objects.count() == 1
    ending.tend(now=start + timedelta(seconds=601))
    assert ClosedSession.objects.get().outcome == ""
    assert store.of_owner("ming") == []


def test_a_late_sweep_still_encodes_what_was_said(agent):
    start = timezone.now()
    put(agent, "good morning", expire_after_seconds=60)
    ending.tend(now=start + timedelta(minutes=30))
    assert RawTurns.objects.count() == 1


def test_an_ended_session_is_not_read_although_nobody_swept(agent):
    put(agent, "good morning", expire_after_seconds=60)
    with time_machine.travel(timezone.now() + timedelta(seconds=61), tick=False):
        assert agent.get("/v1/sessions/s1", owner_id="ming").status_code == 404
        assert put(agent, "hello again").json()["rounds"] == 1


def test_all_sessions_of_an_owner_can_be_erased(agent):
    put(agent, "one", session="s1")
    put(agent, "two", session="s2")
    put(agent, "three", session="s1", owner="hong")
    assert queues.Sessions().erase(Subject(("ming",)), Holds()).erased == 2
    assert agent.get("/v1/sessions/s2", owner_id="ming").status_code == 404
    assert agent.get("/v1/sessions/s1", owner_id="hong").status_code == 200
    left = list(valkey.client().keys("mneme:session*"))
    assert not any(b"ming" in key for key in left)


def bury(owner_id):
    Tombstone.objects.create(
        digest=gates.owner_digests(owner_id)[0],
        key_id="1",
        fenced_at=timezone.now(),
        erased_at=timezone.now(),
    )


def reached_the_disk(text):
    folder = Path(valkey.client().config_get("dir")["dir"])
    paths = [path for path in folder.rglob("*.aof") if path.is_file()]
    assert paths
    return any(text.encode() in path.read_bytes() for path in paths)


def test_nothing_is_kept_for_an_erased_owner(agent):
    bury("ming")
    answer = put(agent, "hello, this was refused")
    assert (answer.status_code, answer.json()["code"]) == (410, "owner_erased")
    assert store.of_owner("ming") == []
    assert not Owner.objects.exists()
    put(agent, "hello, this was taken", owner="hong")
    assert reached_the_disk("hello, this was taken")
    assert not reached_the_disk("hello, this was refused")


@pytest.mark.django_db(transaction=True)
def test_a_message_waits_for_the_fence_that_is_being_put_up(agent):
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            locks.close_fence("ming")
            late = pool.submit(put, agent, "hello, this was late")
            with pytest.raises(TimeoutError):
                late.result(timeout=1)
            bury("ming")
        assert late.result().status_code == 410
        pool.submit(lambda: connection.close()).result()
    assert not reached_the_disk("hello, this was late")


def test_too_much_state_is_refused_and_nothing_is_changed(agent):
    for number in range(4):
        put(agent, state={f"k{number}": "x" * 15_000})
    answer = put(agent, "hello", state={"k5": "x" * 15_000})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    assert agent.get("/v1/sessions/s1", owner_id="ming").json()["rounds"] == 0


def test_raw_turns_are_shut_to_another_owners_request(agent):
    put(agent, "我叫小明")
    turns = RawTurns.objects.get()
    with isolation.agent_transaction(Scope(0, "x", (turns.namespace_id,))):
        assert not RawTurns.objects.exists()
    with isolation.agent_transaction(
        Scope(turns.owner_id, "ming", (turns.namespace_id,))
    ):
        assert RawTurns.objects.exists()


def test_what_is_forgotten_leaves_the_open_sessions_too(
    agent, vector_space, django_capture_on_commit_callbacks
):
    address = "My address is 5 Nanjing Road"
    source = {"kind": "user_input", "name": "chat"}
    put(agent, f"Well. {address}!", "I like tea", state={"to": address, "n": 1})
    put(agent, address, session="s2", max_tokens=256)
    put(agent, *[f"item number {n}, more talk" for n in range(30)], session="s2")
    assert address in agent.get("/v1/sessions/s2", owner_id="ming").json()["summary"]
    saved = agent.post("save", owner_id="ming", content=address, source=source).json()
    with django_capture_on_commit_callbacks(execute=True):
        agent.post("delete", owner_id="ming", memory_id=saved["memory_id"])
    read = agent.get("/v1/sessions/s1", owner_id="ming").json()
    assert [one["content"] for one in read["messages"]] == ["I like tea"]
    assert read["state"] == {"n": 1}
    assert (
        "Nanjing" not in agent.get("/v1/sessions/s2", owner_id="ming").content.decode()
    )
