"""A person with data everywhere is gone everywhere, and nobody else is touched."""

import pytest

from memory_core.contracts.erasure import RunState
from memory_core.models import Memory, MemoryTerm, MemoryVector, Owner, Tombstone
from tests.erasure.conftest import OTHER, begin, work

pytestmark = pytest.mark.django_db


def test_a_person_is_erased_everywhere(person, say):
    say("The neighbour likes coffee", OTHER)
    ref = begin()
    run = work(ref)
    assert run.state == RunState.LIVE_ERASED
    assert not Owner.objects.filter(pk=person).exists()
    assert not Memory.unscoped.filter(owner_id=person).exists()
    assert not MemoryVector.objects.filter(owner_id=person).exists()
    assert not MemoryTerm.objects.filter(owner_id=person).exists()
    assert Tombstone.objects.filter(kind="owner", erased_at__isnull=False).count() == 1
    assert Memory.unscoped.count() == 1
