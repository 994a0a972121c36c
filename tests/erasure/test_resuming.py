"""A worker that is killed at any pass leaves a run that another one finishes."""

import os
import signal
import time

import pytest
from django.db import connection, connections

from memory_core import erasers, valkey
from memory_core.actions import erasure
from memory_core.contracts.erasure import RunState
from memory_core.erasure import running
from memory_core.models import ErasureRun, Memory, Owner
from tests.erasure.conftest import BY, OTHER, begin, settled, work

STORES = [one.store for one in erasers.registered()]
EXIT_OF_A_CHILD_THAT_LIVED = 3


@pytest.mark.django_db(transaction=True)
def test_a_kill_in_any_pass_changes_nothing_of_the_end(person, say):
    """The worker dies in each pass in turn, after its work, before its commit."""
    say("The neighbour likes coffee", OTHER)
    ref = begin()
    for store in STORES:
        _work_until_killed_in(ref, store)
    run = work(ref)
    assert run.state == RunState.LIVE_ERASED
    view = erasure.state(run=ref)
    assert all(one.attempts >= 2 for one in view.passes)
    assert all(one.residue == 0 for one in view.passes)
    assert {one.store: one.erased for one in view.passes}["memories"] == 2
    assert not Owner.objects.filter(pk=person).exists()
    assert Memory.unscoped.count() == 1


def _work_until_killed_in(ref, store):
    """Work on the run in a process of its own that dies in the pass of `store`."""
    connections.close_all()
    valkey.client.cache_clear()
    child = os.fork()
    if child == 0:
        try:
            connection.connect()  # never by what the parent had open
            _die_in(store)
            work(ref)
        finally:
            os._exit(EXIT_OF_A_CHILD_THAT_LIVED)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), f"nobody died in {store}"
    assert os.WTERMSIG(status) == signal.SIGKILL


def _die_in(store):
    eraser = next(one for one in erasers.registered() if one.store == store)
    erase = type(eraser).erase

    def die(self, subject, holds):
        step = erase(self, subject, holds)
        if self.store == store:
            os.kill(os.getpid(), signal.SIGKILL)
        return step

    type(eraser).erase = die


@pytest.mark.django_db
class TestTurns:
    def test_a_pass_goes_on_in_pieces_where_it_stopped(self, person, monkeypatch):
        from memory_core.erasure.stores import memories

        monkeypatch.setattr(memories, "AT_ONCE", 1)
        ref = begin()
        settled(ref)
        states = [_one_turn(ref).state for _ in range(6)]
        assert states == [RunState.EXECUTING] * 6
        assert Memory.unscoped.filter(owner=person).count() < 2
        assert work(ref).state == RunState.LIVE_ERASED

    def test_what_fails_is_tried_again_and_then_told(self, person, monkeypatch):
        from memory_core.erasure.stores.identity import Sources

        def fail(self, subject, holds):
            raise ZeroDivisionError("Zhang Weilong")

        monkeypatch.setattr(Sources, "erase", fail)
        ref = begin()
        for _ in range(running.MOST_FAILURES):
            run = work(ref)
        assert run.state == RunState.FAILED
        assert erasure.state(run=ref).error == "ZeroDivisionError"
        monkeypatch.undo()
        erasure.resume(run=ref, by=BY)
        assert work(ref).state == RunState.LIVE_ERASED

    def test_two_workers_do_not_meet(self, person):
        run = ErasureRun.objects.get(ref=begin())
        with running._alone(run.pk) as is_alone:
            assert is_alone
            assert not _is_free_for_another(run.pk)
        assert _is_free_for_another(run.pk)


def _one_turn(ref):
    """What a worker does whose time is over at once."""
    run = ErasureRun.objects.get(ref=ref)
    return running.work(run.pk, until=time.monotonic())


def _is_free_for_another(pk):
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [running.LOCK, pk])
            return cursor.fetchone()[0]
    finally:
        other.close()
