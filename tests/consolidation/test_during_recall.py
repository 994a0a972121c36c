"""Memories are put away and deleted while they are being recalled."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Event

import pytest
from django.db import connection, transaction
from django.utils import timezone

from memory_core.actions.recall import recall
from memory_core.contracts.callers import SYSTEM, Scope
from memory_core.contracts.enums import Status
from memory_core.contracts.recall import RecallQuery
from memory_core.models import Memory
from memory_core.saving import forgetting, transitions
from tests.consolidation.conftest import OWNER

pytestmark = pytest.mark.django_db(transaction=True)
READERS = 3
MEMORIES = 12


def test_a_recall_gives_whole_memories_and_none_that_went_before_it(say, voice):
    ids = [say(f"I keep the stamp number {n}", loaded=True) for n in range(MEMORIES)]
    gone, ended, asked = [], Event(), [Event() for _ in range(READERS)]

    def keep_asking(number: int) -> int:
        count = 0
        try:
            while not ended.is_set():
                before = set(gone)
                query = RecallQuery(owner_id=OWNER, query="which stamp?", top_k=50)
                hits = recall(by=voice, query=query).hits
                assert not before & {hit.memory.memory_id for hit in hits}
                assert all(hit.memory.content for hit in hits)
                count += 1
                asked[number].set()
        finally:
            asked[number].set()
            connection.close()
        return count

    with ThreadPoolExecutor(READERS) as pool:
        readers = [pool.submit(keep_asking, number) for number in range(READERS)]
        try:
            for one in asked:
                assert one.wait(30)
            _put_away(ids, gone)
        finally:
            ended.set()
        assert all(one.result() for one in readers)
    assert not Memory.unscoped.filter(status=Status.ACTIVE).exists()


def _put_away(ids, gone):
    """Archive every second one, delete the others, as the clock does."""
    now = timezone.now() + timedelta(days=1)
    for number, memory_id in enumerate(ids):
        memory = Memory.unscoped.get(pk=memory_id)
        if number % 2:
            transitions.archive([memory_id], now=now)
        else:
            scope = Scope(memory.owner_id, OWNER, (memory.namespace_id,))
            _forget(memory_id, scope, now)
        gone.append(memory_id)


def _forget(memory_id, scope, now):
    with transaction.atomic():
        forgetting.forget(
            [memory_id], scope=scope, by=SYSTEM, reason="retention", now=now
        )
