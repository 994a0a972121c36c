"""Every day somebody is made up, remembered, found and erased."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory_core import ledger
from memory_core.contracts.erasure import RunState
from memory_core.erasure import canary
from memory_core.models import ErasureRun, Memory, Owner, Tombstone
from memory_core.saving import vectors
from tests.erasure.conftest import work


@pytest.fixture(autouse=True)
def _space(db):
    vectors.ensure_model()


def test_it_is_remembered_and_erased_within_a_day():
    now = timezone.now()
    run = canary.send(now=now)
    assert Memory.unscoped.count() == 1
    assert canary.last(now=now).is_well
    assert work(run.ref).state == RunState.LIVE_ERASED
    assert Memory.unscoped.count() == Owner.objects.count() == 0
    last = canary.last(now=now)
    assert last.is_well
    assert last.seconds > 0


def test_one_a_day_is_enough():
    now = timezone.now()
    assert canary.send(now=now)
    assert canary.send(now=now + timedelta(hours=1)) is None
    assert canary.send(now=now + timedelta(hours=24))


def test_before_the_first_nothing_is_said():
    assert canary.last(now=timezone.now()) is None


def test_one_that_takes_too_long_is_an_alarm():
    now = timezone.now()
    canary.send(now=now)
    assert not canary.last(now=now + timedelta(hours=2)).is_well


@pytest.mark.parametrize("state", [RunState.FAILED, RunState.RESIDUAL_FOUND])
def test_one_that_was_not_erased_is_an_alarm(state):
    now = timezone.now()
    run = canary.send(now=now)
    ErasureRun.objects.filter(pk=run.pk).update(state=state)
    assert not canary.last(now=now).is_well


def test_those_of_last_month_leave_nothing_but_their_lines_in_the_ledger():
    now = timezone.now()
    run = canary.send(now=now)
    work(run.ref)
    assert canary.prune(now=now + timedelta(days=29)) == 0
    assert canary.prune(now=now + timedelta(days=31)) == 1
    assert not ErasureRun.objects.exists()
    assert not Tombstone.objects.exists()
    assert ledger.standing() == []
    assert not ledger.is_ahead_of_database()


def test_a_recall_that_does_not_find_it_makes_the_proof_void(monkeypatch):
    found = canary.engine.search

    def blind(by, scope, query):
        return found(by, type(scope)(0, scope.owner_id, scope.namespaces), query)

    monkeypatch.setattr(canary.engine, "search", blind)
    with pytest.raises(canary.NotRemembered):
        canary.send(now=timezone.now())
