"""Faults between a recall and what it leaves: nothing is lost or counted twice."""

import json
import threading

import pytest
from django.db import OperationalError, connection, transaction

from memory_core import valkey
from memory_core.models import AuditEntry, MemoryUse, RecallEvent
from memory_core.recall import batches, flushing, touches, trail
from tests.recall.conftest import at


def test_with_valkey_down_recalls_answer_and_the_loss_is_counted(
    world, no_valkey, caplog
):
    world.tell("likes tea")
    before = touches.LOST._value.get()
    assert world.texts("tea") == ["likes tea"]
    assert world.texts("tea") == ["likes tea"]
    assert touches.LOST._value.get() == before + 2
    assert "Valkey is down" in caplog.text


@pytest.fixture
def no_valkey(settings, monkeypatch, tmp_path):
    """An address at which no server listens."""
    settings.REDIS_URL = f"unix://{tmp_path}/nobody.sock"
    monkeypatch.setattr(valkey, "_down_until", 0.0)
    valkey.client.cache_clear()
    yield
    valkey.client.cache_clear()


def test_a_note_that_is_not_understood_stops_nothing(world, flush):
    world.tell("likes tea")
    valkey.client().rpush(touches.WAITING, b"{not json", b'{"at": "never"}')
    world.ask("tea")
    done = flush()
    assert (done.notes, done.unreadable, done.events) == (1, 2, 1)


def test_a_crash_before_the_commit_loses_nothing(world, flush, monkeypatch):
    memory = world.tell("likes tea")
    world.ask("tea")
    with monkeypatch.context() as broken:
        broken.setattr(trail, "write_token_uses", _crash)
        with pytest.raises(RuntimeError), transaction.atomic():
            flush()
    assert world.use_of(memory).access_count == 0
    assert flush().notes == 1
    assert world.use_of(memory).access_count == 1


def test_a_crash_after_the_commit_counts_nothing_twice(world, flush, monkeypatch):
    memory = world.tell("likes tea")
    world.ask("tea", session_id="s")
    with monkeypatch.context() as broken:
        broken.setattr(batches, "finish", _crash)
        with pytest.raises(RuntimeError):
            flush()
    assert flush().notes == 0
    use = world.use_of(memory)
    assert (use.access_count, use.base_score) == (1, pytest.approx(0.7, abs=1e-3))
    assert AuditEntry.objects.filter(action="recall").count() == 1
    world.ask("tea", session_id="s")
    flush()
    assert world.use_of(memory).access_count == 1


def _crash(*_args, **_kwargs):
    raise RuntimeError("the process dies here")


def test_parallel_recalls_and_flushes_lose_no_access(committed_world):
    world = committed_world
    memory = world.tell("likes tea")
    workers, each = 6, 5

    def work(number):
        try:
            for step in range(each):
                world.ask("tea", session_id=f"{number}-{step}")
                flushing.flush()
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(n,)) for n in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    flushing.flush()
    assert world.use_of(memory).access_count == workers * each
    assert RecallEvent.objects.count() == workers * each


def test_a_flush_yields_to_a_save_that_holds_a_row(committed_world):
    world = committed_world
    memory = world.tell("likes tea")
    world.ask("tea")
    refused = []

    def try_to_flush():
        try:
            flushing.flush()
        except OperationalError as error:
            refused.append(error)
        finally:
            connection.close()

    with transaction.atomic():
        MemoryUse.objects.select_for_update().get(pk=memory)
        thread = threading.Thread(target=try_to_flush)
        thread.start()
        thread.join()
    assert len(refused) == 1
    assert flushing.flush().gains == 1


def test_a_second_flush_that_may_not_wait_leaves_at_once(committed_world):
    found = []

    def other():
        try:
            found.append(flushing.flush(wait=False).is_busy)
        finally:
            connection.close()

    with flushing._alone(wait=True):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert found == [True]
    assert flushing.flush(wait=False).is_busy is False


@pytest.mark.parametrize("base", [0.6, 5e-324])
def test_a_memory_of_another_century_stops_no_flush(world, flush, base):
    """PostgreSQL raises where a power of a half becomes too small for a float."""
    old = world.tell(
        "wore a purple scarf", category="temporary", observed_at=at("0001-01-01T00:00Z")
    )
    world.set_use(old, base_score=base)
    new = world.tell("likes purple tea", category="fact")
    world.ask("purple scarf", include_archived=True)
    done = flush()
    assert (done.gains, done.audit_entries) == (2, 1)
    assert world.use_of(old).base_score == pytest.approx(0.1, abs=0.06)
    assert world.use_of(new).access_count == 1


def test_a_count_at_its_end_stops_no_flush(world, flush):
    memory = world.tell("likes tea", category="fact")
    world.set_use(memory, access_count=2**31 - 1)
    world.ask("tea")
    assert flush().gains == 1
    assert world.use_of(memory).access_count == 2**31 - 1


@pytest.mark.parametrize("bad", [{"agent_id": 2**70}, {"at": 1e30}])
def test_a_note_that_no_row_can_hold_spoils_no_other(world, flush, bad):
    memory = world.tell("likes tea", category="fact")
    world.ask("tea", session_id="s")
    [good] = valkey.client().lrange(touches.WAITING, 0, -1)
    worse = json.dumps(json.loads(good) | bad)
    valkey.client().lpush(touches.WAITING, worse)
    valkey.client().rpush(touches.WAITING, good)
    done = flush()
    assert (done.notes, done.unreadable, done.gains) == (2, 1, 1)
    assert world.use_of(memory).access_count == 1
    assert valkey.client().llen(touches.WAITING) == 0
