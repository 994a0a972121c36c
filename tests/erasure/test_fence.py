"""Once the fence is committed, nothing of the person is written by anybody."""

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.utils import timezone

from memory_core.actions import access, erasure, feedback, memories, sessions
from memory_core.contracts.erasure import RunState, Subject
from memory_core.contracts.memories import Draft
from memory_core.contracts.sessions import Message, Speaker
from memory_core.encoding import engine, handing
from memory_core.exceptions import InvalidInput, OwnerBeingErased, OwnerErased
from memory_core.models import (
    ErasureRun,
    Memory,
    Owner,
    RawTurns,
    Token,
    Tombstone,
)
from memory_core.saving import vectors
from tests.api.server import LiveServer
from tests.erasure.conftest import OTHER, PERSON, begin, work
from tests.factories import make_caller, make_token

WRITERS = 6


@pytest.mark.server
@pytest.mark.django_db(transaction=True)
def test_no_write_over_http_commits_after_the_fence():
    vectors.ensure_model()
    token = make_token("ann", namespace="shop", shared={"shop": "rw"})
    server = LiveServer()
    stop = threading.Event()
    try:
        with ThreadPoolExecutor(WRITERS) as pool:
            answers = [
                pool.submit(_write_until, stop, server, token, number)
                for number in range(WRITERS)
            ]
            try:
                _wait_for(lambda: Memory.unscoped.count() >= WRITERS)
                begin()
                after = _rows()
                time.sleep(1.5)
            finally:
                stop.set()
            seen = [one.result() for one in answers]
        assert _rows() == after
    finally:
        server.stop()
    assert sum(codes.count("") for codes in seen) >= WRITERS, seen
    assert all(codes[-1] == "owner_being_erased" for codes in seen), seen


def _write_until(stop, server, token, number):
    """Save in one of the ways that there are, again and again; return the codes."""
    codes, count = [], 0
    wire = server.connect()
    while not stop.is_set():
        count += 1
        one = {"owner_id": PERSON, "content": f"Fact {number} number {count} is so"}
        one |= {"category": "fact", "source": {"kind": "user_input", "name": "chat"}}
        is_batch = number % 2
        path = "/v1/memory/save/batch" if is_batch else "/v1/memory/save"
        body = {"items": [one]} if is_batch else one
        headers = {"Authorization": f"Bearer {token}"}
        wire.request(
            "POST",
            path,
            json.dumps(body),
            {**headers, "Content-Type": "application/json"},
        )
        answer = wire.getresponse()
        said = json.loads(answer.read())
        code = said["results"][0].get("code", "") if is_batch else said.get("code", "")
        codes.append(code)
    wire.close()
    return codes


def _rows():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT (SELECT count(*) FROM memory_core_memory),"
            " (SELECT count(*) FROM memory_core_memoryvector),"
            " (SELECT count(*) FROM memory_core_memoryversion)"
        )
        return cursor.fetchone()


def _wait_for(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.django_db
class TestEachWayIn:
    def test_saves_are_refused_before_and_after_the_end(self, person, voice, say):
        ref = begin()
        with pytest.raises(OwnerBeingErased):
            say("Something new")
        work(ref)
        with pytest.raises(OwnerErased):
            say("Something new")
        say("Something new", OTHER)

    def test_a_batch_and_a_file_are_refused(self, person, voice):
        begin()
        draft = Draft(owner_id=PERSON, content="In a batch", namespace="")
        [saved] = memories.remember_many(drafts=[draft], by=voice)
        assert isinstance(saved, OwnerBeingErased)

    def test_a_session_leaves_nothing(self, person, voice):
        begin()
        with pytest.raises(OwnerBeingErased):
            sessions.put(
                by=voice, owner_id=PERSON, session_id="s-2", messages=[("user", "hi")]
            )

    def test_feedback_is_refused(self, person, voice):
        scope = access.read_scope(voice, PERSON)
        memory = Memory.unscoped.filter(owner=person).first()
        begin()
        with pytest.raises(OwnerBeingErased):
            feedback.give(by=voice, scope=scope, memory_id=memory.pk, verdict="useful")

    def test_a_conversation_that_waits_is_not_encoded(self, person, voice):
        now = timezone.now()
        text = Message("user", "Remember that I moved to Lyon", now, 1)
        turns = handing.hand_over(
            [text], by=voice, speaker=Speaker.of(voice), owner_id=PERSON, now=now
        )
        begin()
        before = Memory.unscoped.count()
        engine.encode(turns, now=timezone.now())
        assert Memory.unscoped.count() == before
        with pytest.raises(OwnerBeingErased):
            handing.hand_over(
                [text], by=voice, speaker=Speaker.of(voice), owner_id=PERSON, now=now
            )

    def test_agents_no_longer_see_the_person(self, person, voice):
        begin()
        access.forget_cached()
        assert access.read_scope(voice, PERSON).owner == 0

    def test_tokens_of_the_person_are_revoked_and_then_unnamed(self, person):
        own = make_caller("own", owner_claim=PERSON)
        ref = begin()
        token = Token.objects.get(pk=own.token_id)
        assert token.revoked_at is not None
        work(ref)
        token.refresh_from_db()
        assert PERSON not in token.owner_claim


@pytest.mark.django_db
class TestOrders:
    def test_the_same_person_may_not_approve(self, person):
        with pytest.raises(InvalidInput):
            begin(prepared_by="7", approved_by="7")

    def test_a_case_has_one_run(self, person):
        assert begin() == begin()
        assert ErasureRun.objects.count() == 1

    def test_an_unknown_person_is_fenced_too(self, voice, say):
        ref = begin(Subject(("never-seen",)))
        with pytest.raises(OwnerBeingErased):
            say("Anything", "never-seen")
        assert work(ref).state == RunState.LIVE_ERASED

    def test_each_identifier_has_a_tombstone_but_the_name(self, person):
        begin()
        kinds = Tombstone.objects.values_list("kind", flat=True)
        assert sorted(kinds) == ["email", "owner", "phone"]

    def test_an_owner_called_by_the_mail_address_is_kept_out(self, person, say):
        begin()
        with pytest.raises(OwnerBeingErased):
            say("Anything", "Weilong.Zhang+shop@Example.org")

    def test_references_say_nothing_of_the_person(self, person):
        ref = begin()
        assert PERSON not in ref
        assert ref != begin(case_ref="ER-TEST02")


@pytest.mark.django_db(transaction=True)
def test_the_fence_waits_for_a_write_that_is_under_way(voice, say):
    """And the write it waited for is erased with the rest."""
    from memory_core.saving import pipeline, preparing

    say("First of all")
    draft = Draft(owner_id=PERSON, content="Slow one", namespace="shop")
    scope = access.write_scope(voice, PERSON)
    prepared = preparing.prepare(draft, voice, scope, now=timezone.now())
    fenced = threading.Event()

    def fence():
        begin()
        fenced.set()
        connection.close()

    thread = threading.Thread(target=fence)
    with pipeline.opened(prepared) as (current, place):
        pipeline.store(current, place)
        thread.start()
        assert not fenced.wait(0.5)
    assert fenced.wait(10)
    thread.join()
    assert Memory.unscoped.count() == 2
    assert Owner.objects.filter(external_id=PERSON).exists()
    assert RawTurns.objects.count() == 0
    ref = ErasureRun.objects.get().ref
    assert work(ref).state == RunState.LIVE_ERASED
    done = {one.store: one.erased for one in erasure.state(run=ref).passes}
    assert done["memories"] == 2
