"""What a request restricts is kept, and neither read, changed nor deleted (Art. 18)."""

import json
from datetime import timedelta
from uuid import UUID

import pytest
from django.utils import timezone

from memory_core.actions import (
    access,
    changes,
    lookups,
    memories,
    restrictions,
    sessions,
    snapshots,
)
from memory_core.contracts.enums import JobState
from memory_core.contracts.erasure import RunState
from memory_core.contracts.sessions import Message, Speaker
from memory_core.encoding import engine, handing
from memory_core.erasure.report import report
from memory_core.exceptions import NotFound, OwnerRestricted
from memory_core.models import AuditEntry, Job, Memory, Owner, RawTurns
from memory_core.snapshots import ordered
from memory_core.snapshots.exporting import Wanted, export
from tests.api.server import LiveServer
from tests.erasure.conftest import (
    BY,
    OTHER,
    PERSON,
    SUBJECT,
    ask,
    begin,
    work,
)
from tests.factories import make_token

CASE = "ER-TEST18"


def restrict(case_ref=CASE):
    return restrictions.place(owner_ids=[PERSON], case_ref=case_ref, by=BY)


def lift(case_ref=CASE):
    return restrictions.lift(case_ref=case_ref, by=BY)


@pytest.fixture
def memory(person):
    return Memory.unscoped.filter(owner=person).earliest("pk")


@pytest.mark.django_db
class TestReading:
    def test_agents_find_nothing_although_they_knew_the_owner(self, memory, voice):
        assert ask(voice, "what does the user like?").hits
        assert access.read_scope(voice, PERSON).owner == memory.owner_id
        restrict()
        assert access.read_scope(voice, PERSON).owner == memory.owner_id  # remembered
        assert not ask(voice, "what does the user like?").hits
        assert not lookups.page(by=voice, owner_id=PERSON).memories
        with pytest.raises(NotFound):
            lookups.get(by=voice, owner_id=PERSON, memory_id=memory.pk)
        with pytest.raises(NotFound):
            lookups.owner_of(by=voice, memory_id=memory.pk)
        with pytest.raises(NotFound):
            sessions.get(by=voice, owner_id=PERSON, session_id="s-1")
        assert not lookups.owners(by=voice)

    def test_others_are_found_as_before(self, memory, voice, say):
        say("I like black coffee", OTHER)
        restrict()
        assert ask(voice, "coffee", OTHER).hits
        assert [one.owner_id for one in lookups.owners(by=voice)] == [OTHER]

    def test_an_export_and_an_ordered_copy_leave_it_out(self, memory, voice, settings):
        before = _ordered(voice, settings)
        snapshots.content(by=voice, snapshot_id=before).close()
        restrict()
        spaces = tuple(voice.readable.values())
        made = export(Wanted(namespaces=spaces), voice, now=timezone.now())
        assert len(list(made.stored())) == 1  # the manifest alone
        with pytest.raises(NotFound):
            snapshots.content(by=voice, snapshot_id=before)
        lift()
        snapshots.content(by=voice, snapshot_id=before).close()

    def test_all_is_found_again_when_it_ends(self, memory, voice):
        restrict()
        lift()
        assert ask(voice, "what does the user like?").hits
        assert sessions.get(by=voice, owner_id=PERSON, session_id="s-1")

    def test_another_request_goes_on_restricting(self, memory, voice):
        restrict()
        restrict("ER-OTHER1")
        lift()
        assert not ask(voice, "what does the user like?").hits
        lift("ER-OTHER1")
        assert ask(voice, "what does the user like?").hits


def _ordered(voice, settings):
    """A snapshot that an agent ordered and that is written."""
    view = snapshots.order(by=voice)
    job = Job.objects.get(pk=view.snapshot_id)
    Job.objects.filter(pk=job.pk).update(state=JobState.RUNNING)
    job.refresh_from_db()
    assert ordered.advance(job, until=0.0)
    return job.pk


@pytest.mark.django_db
class TestWriting:
    def test_nothing_is_stored(self, memory, voice, say):
        restrict()
        with pytest.raises(OwnerRestricted):
            say("Something new")
        with pytest.raises(OwnerRestricted):
            sessions.put(
                by=voice, owner_id=PERSON, session_id="s-2", messages=[("user", "hi")]
            )

    def test_nothing_is_changed_or_deleted_by_agents(self, memory, voice):
        scope = access.read_scope(voice, PERSON)
        restrict()
        with pytest.raises(NotFound):
            changes.archive(by=voice, scope=scope, memory_id=memory.pk)
        assert not memories.forget(by=voice, scope=scope, memory_id=memory.pk)
        assert Memory.unscoped.filter(pk=memory.pk).exists()

    def test_nor_deleted_by_people(self, memory):
        restrict()
        scope = access.Scope(memory.owner_id, PERSON, (memory.namespace_id,))
        with pytest.raises(OwnerRestricted):
            memories.forget(by=BY, scope=scope, memory_id=memory.pk)

    def test_a_conversation_waits_and_is_kept(self, memory, voice):
        now = timezone.now()
        text = Message("user", "Remember that I moved to Lyon", now, 1)
        turns = handing.hand_over(
            [text], by=voice, speaker=Speaker.of(voice), owner_id=PERSON, now=now
        )
        restrict()
        count = Memory.unscoped.count()
        assert not engine.encode(turns, now=timezone.now())
        assert turns not in engine.waiting(now=timezone.now(), limit=50)
        engine.purge(now=now + timedelta(days=30))
        assert RawTurns.objects.filter(pk=turns).exists()
        lift()
        assert engine.encode(turns, now=timezone.now())
        assert Memory.unscoped.count() == count + 1

    def test_an_erasure_goes_through(self, memory):
        restrict()
        assert work(begin()).state == RunState.LIVE_ERASED
        assert not Owner.objects.filter(external_id=PERSON).exists()


@pytest.mark.django_db
def test_the_access_report_and_the_audit_log_say_so(memory):
    assert restrict() == 1
    assert report(SUBJECT, now=timezone.now()).restricted_by == (CASE,)
    assert lift() == 1
    assert report(SUBJECT, now=timezone.now()).restricted_by == ()
    actions = AuditEntry.objects.filter(action__startswith="restriction.")
    assert sorted(actions.values_list("action", flat=True)) == [
        "restriction.lift",
        "restriction.place",
    ]


@pytest.mark.server
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("shut", [begin, restrict])
def test_another_process_that_knows_the_owner_sees_nothing_at_once(shut, voice, say):
    said = say("I like green tea")
    token = make_token("reader", namespace="shop", shared={"shop": "rw"})
    server = LiveServer()
    try:
        for _ in range(6):  # both processes have answered, and remember the owner
            assert _recalled(server, token) == [said]
        shut()
        assert [_recalled(server, token) for _ in range(6)] == [[]] * 6
    finally:
        server.stop()


def _recalled(server, token):
    wire = server.connect()
    body = json.dumps({"owner_id": PERSON, "query": "what does the user drink?"})
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    wire.request("POST", "/v1/memory/recall", body, headers)
    answer = json.loads(wire.getresponse().read())
    wire.close()
    return [UUID(one["memory_id"]) for one in answer["memories"]]
