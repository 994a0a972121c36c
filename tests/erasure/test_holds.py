"""A legal hold wins, whenever it comes; what it holds keeps the erasure partial."""

import threading
import time

import pytest
from django.db import connection, transaction
from django.utils import timezone

from memory_core.actions import access, erasure, holds, lookups, memories
from memory_core.actions.guards import scope_around
from memory_core.contracts.callers import SYSTEM
from memory_core.contracts.erasure import RunState
from memory_core.erasure import holds as standing
from memory_core.erasure import running
from memory_core.erasure.stores import memories as store
from memory_core.exceptions import (
    InvalidInput,
    LegalHoldInForce,
    NotFound,
    TransitionRefused,
)
from memory_core.models import LegalHold, Memory, MemoryVector, Owner, RawTurns
from memory_core.snapshots import reading
from tests.erasure.conftest import BY, OTHER, PERSON, ask, begin, settled, work

pytestmark = pytest.mark.django_db


def counts(ref):
    return {one.store: one for one in erasure.state(run=ref).passes}


def test_a_held_memory_stays_and_the_rest_goes(person, say, voice):
    kept = say("The contract of May says so")
    hold = holds.place_hold(memory_id=kept, reason="litigation", by=BY)
    ref = begin()
    run = work(ref)
    assert run.state == RunState.PARTIALLY_ERASED
    assert [row.pk for row in Memory.unscoped.all()] == [kept]
    assert MemoryVector.objects.filter(memory_id=kept).exists()
    done = counts(ref)
    assert (done["memories"].erased, done["memories"].held) == (2, 1)
    assert done["owners"].held == done["data_keys"].held == 1
    assert erasure.state(run=ref).live_erased_at is None
    access.forget_cached()  # processes know an owner's row for three seconds
    assert not ask(voice, "What does the contract say?").hits
    holds.release_hold(hold=hold.pk, reason="over", by=BY)
    assert work(ref).state == RunState.LIVE_ERASED
    assert not Owner.objects.filter(pk=person).exists()


def test_a_hold_that_comes_in_the_middle_stops_the_later_passes(
    person, say, monkeypatch
):
    monkeypatch.setattr(store, "AT_ONCE", 1)
    ref = begin()
    run = settled(ref)
    while Memory.unscoped.filter(owner=person).count() == 2:
        running.work(run.pk, until=time.monotonic())
    last = Memory.unscoped.get(owner=person)
    turns = RawTurns.objects.filter(owner=person).count()
    holds.place_hold(owner_id=PERSON, reason="17(3)(e)", by=BY)
    run = work(ref)
    assert run.state == RunState.PARTIALLY_ERASED
    assert Memory.unscoped.get(owner=person) == last
    assert RawTurns.objects.filter(owner=person).count() == turns == 1
    assert counts(ref)["raw_turns"].held == 1


def test_a_hold_over_a_namespace_keeps_what_is_in_it(person, voice, say):
    holds.place_hold(namespace="shop", reason="litigation", by=BY)
    ref = begin()
    run = work(ref)
    assert run.state == RunState.PARTIALLY_ERASED
    assert Memory.unscoped.filter(owner=person).count() == 2
    assert counts(ref)["sessions"].held == 1


def test_a_hold_that_expired_holds_nothing(person, say):
    one = Memory.unscoped.filter(owner=person).first()
    holds.place_hold(
        memory_id=one.pk, reason="litigation", expires_at=timezone.now(), by=BY
    )
    assert work(begin()).state == RunState.LIVE_ERASED


def test_what_was_merged_into_a_held_memory_is_held_with_it(person, say):
    first = say("Likes oolong tea")
    second = say("Prefers oolong to all other tea")
    Memory.unscoped.filter(pk=second).update(
        status=4, until=timezone.now(), merged_into=first
    )
    holds.place_hold(memory_id=first, reason="litigation", by=BY)
    work(begin())
    assert {row.pk for row in Memory.unscoped.all()} == {first, second}


def test_a_held_part_of_an_erased_union_stays_by_itself(person, say):
    whole = say("Likes oolong tea")
    part = say("Prefers oolong to all other tea")
    Memory.unscoped.filter(pk=part).update(
        status=4, until=timezone.now(), merged_into=whole
    )
    holds.place_hold(memory_id=part, reason="litigation", by=BY)
    work(begin())
    [left] = Memory.unscoped.all()
    assert (left.pk, left.merged_into_id) == (part, None)


def test_a_hold_protects_from_an_ordinary_deletion_too(person, voice):
    one = Memory.unscoped.filter(owner=person).first()
    holds.place_hold(memory_id=one.pk, reason="litigation", by=BY)
    with pytest.raises(LegalHoldInForce):
        memories.forget(by=BY, scope=scope_around(one.pk), memory_id=one.pk)


class TestOrders:
    def test_a_hold_is_over_one_thing(self, person):
        with pytest.raises(InvalidInput):
            holds.place_hold(reason="litigation", by=BY)
        with pytest.raises(InvalidInput):
            holds.place_hold(
                owner_id=PERSON, namespace="shop", reason="litigation", by=BY
            )

    def test_the_reason_is_a_code_and_no_free_text(self, person):
        with pytest.raises(InvalidInput):
            holds.place_hold(owner_id=PERSON, reason="because Zhang sued", by=BY)

    @pytest.mark.parametrize("over", [{"owner_id": "nobody"}, {"namespace": "none"}])
    def test_what_is_held_exists(self, person, over):
        with pytest.raises(NotFound):
            holds.place_hold(reason="litigation", by=BY, **over)

    def test_a_hold_is_released_once(self, person):
        hold = holds.place_hold(owner_id=PERSON, reason="litigation", by=BY)
        holds.release_hold(hold=hold.pk, reason="over", by=BY)
        with pytest.raises(TransitionRefused):
            holds.release_hold(hold=hold.pk, reason="over", by=BY)
        assert standing.in_force(now=timezone.now()).ids == ()


@pytest.mark.django_db(transaction=True)
def test_a_hold_waits_for_a_deletion_that_is_under_way(voice, say):
    """So that none is in force while something of it is being deleted."""
    one = say("Something")
    placed = threading.Event()

    def place():
        holds.place_hold(memory_id=one, reason="litigation", by=BY)
        placed.set()
        connection.close()

    thread = threading.Thread(target=place)
    with transaction.atomic():
        assert standing.settled(now=timezone.now()).ids == ()
        thread.start()
        assert not placed.wait(0.5)
    assert placed.wait(10)
    thread.join()
    assert standing.in_force(now=timezone.now()).memories == (one,)


def test_a_hold_over_an_owner_is_forgotten_with_them_once_it_is_over(person):
    hold = holds.place_hold(owner_id=PERSON, reason="litigation", by=BY)
    ref = begin()
    assert work(ref).state == RunState.PARTIALLY_ERASED
    holds.release_hold(hold=hold.pk, reason="over", by=BY)
    assert work(ref).state == RunState.LIVE_ERASED
    assert not LegalHold.objects.exists()


def test_what_is_held_leaves_in_no_export_and_no_list(person, voice, say):
    say("The neighbour likes coffee", OTHER)
    holds.place_hold(owner_id=PERSON, reason="litigation", by=BY)
    work(begin())
    assert Memory.unscoped.filter(owner=person).count() == 2
    assert [one for _, one in reading.owners(SYSTEM)] == [OTHER]
    assert [one.owner_id for one in lookups.owners(by=voice)] == [OTHER]
