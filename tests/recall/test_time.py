"""`as_of`: what was known then, and nothing else."""

from datetime import timedelta

from django.utils import timezone

from memory_core.models import Memory
from tests.recall.conftest import at


def test_what_was_learned_later_is_not_there_yet(world):
    world.tell("moved to Suzhou", observed_at=at("2026-03-01T00:00:00Z"))
    world.tell("moved to Hangzhou in June", observed_at=at("2026-06-01T00:00:00Z"))
    found = world.texts("moved where", as_of=at("2026-04-01T00:00:00Z"))
    assert found == ["moved to Suzhou"]


def test_what_was_superseded_later_is_still_current(world):
    old = world.tell("供应商是甲公司", observed_at=at("2026-05-01T00:00:00Z"))
    new = world.tell("供应商换成了乙公司", observed_at=at("2026-08-01T00:00:00Z"))
    _supersede(old, new)
    assert world.texts("供应商是谁", as_of=at("2026-06-01T00:00:00Z")) == [
        "供应商是甲公司"
    ]
    assert world.texts("供应商是谁", as_of=at("2026-09-01T00:00:00Z")) == [
        "供应商换成了乙公司"
    ]


def test_scores_are_those_of_that_moment(world):
    world.tell("went skiing", category="event", observed_at=at("2023-01-01T00:00:00Z"))
    assert world.texts("skiing") == []
    hit = world.ask("skiing", as_of=at("2023-01-31T00:00:00Z")).hits[0]
    assert abs(hit.memory.score - 0.3) < 1e-6


def test_nothing_is_touched(world, flush):
    memory = world.tell("likes tea", observed_at=timezone.now() - timedelta(days=1))
    world.ask("tea", as_of=timezone.now())
    done = flush()
    assert (done.notes, done.gains, done.audit_entries) == (1, 0, 1)
    assert world.use_of(memory).access_count == 0


def _supersede(old, new):
    """As the write pipeline leaves it, whatever it decided here."""
    from django.db import connection

    successor = Memory.unscoped.get(pk=new)
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE memory_core_memory SET status = 4, superseded_by_id = %s,"
            " until = %s WHERE id = %s",
            [new, successor.observed_at, old],
        )
        cursor.execute(
            "UPDATE memory_core_memoryvector SET status = 4, until = %s"
            " WHERE memory_id = %s",
            [successor.observed_at, old],
        )
        cursor.execute(
            "UPDATE memory_core_memoryterm SET status = 4 WHERE memory_id = %s", [old]
        )
