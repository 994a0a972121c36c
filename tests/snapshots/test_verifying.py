"""Copies are proved by reading them, and what is wrong with them is told."""

import time
from datetime import timedelta

import pytest
from django.utils import timezone

from memory_core import jobs
from memory_core.contracts.callers import SYSTEM
from memory_core.models import Copy, Job
from memory_core.snapshots import catalogue, keeping, verifying
from memory_core.snapshots.cold import draining
from memory_core.snapshots.cold.folder import file_of
from memory_core.tasks.snapshots import take_snapshot
from tests.snapshots.conftest import OWNER

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.HOME = tmp_path
    settings.SNAPSHOT_DIR = tmp_path / "snapshots"
    settings.COLD_DIR = tmp_path / "cold"
    return settings.SNAPSHOT_DIR


@pytest.fixture
def copied(say):
    """Three memories in a daily snapshot and in the cold copy."""
    for n in range(3):
        say(f"I own book {n}")
    drain()
    keeping.take(now=timezone.now())


def drain():
    return draining.drain(now=timezone.now(), until=time.monotonic() + 60)


def verified(kind):
    """Return the row of a copy after its verification."""
    verifying.order(Copy.objects.get(kind=kind), by=SYSTEM, now=timezone.now())
    while jobs.work(seconds=60):
        pass
    return Copy.objects.get(kind=kind)


def alarms(**moment):
    found = catalogue.alarms(
        waiting_since=draining.oldest_waiting(),
        now=timezone.now() + timedelta(**moment),
    )
    return [one.code for one in found]


@pytest.mark.parametrize("kind", ["daily", "cold"])
def test_a_sound_copy_is_found_sound(copied, kind):
    row = verified(kind)
    assert (row.is_sound, row.finding, row.memories) == (True, "", 3)
    assert row.size > 0
    assert Job.objects.get(kind=verifying.KIND).state == "done"


def test_parts_are_read_in_turns(say, monkeypatch):
    monkeypatch.setattr("memory_core.snapshots.manifest.LINES_A_PART", 2)
    monkeypatch.setattr("memory_core.jobs.TURN_SECONDS", 0.0)
    for n in range(5):
        say(f"I own book {n}")
    keeping.take(now=timezone.now())
    row = verified("daily")
    assert (row.is_sound, row.memories) == (True, 5)
    assert Job.objects.get(kind=verifying.KIND).done == 3


@pytest.mark.parametrize("change", [b'sealed":"A|sealed":"B', b'"key"|"kez"', None])
def test_a_changed_snapshot_is_found_out(copied, folder, change):
    [path] = folder.glob("*.jsonl")
    data = path.read_bytes()
    path.write_bytes(data.replace(*change.split(b"|")) if change else data[:-20])
    row = verified("daily")
    assert row.is_sound is False and row.finding
    assert alarms() == ["copy_unsound"]


def test_a_snapshot_that_is_gone_is_found_out(copied, folder):
    [path] = folder.glob("*.jsonl")
    path.unlink()
    assert verified("daily").is_sound is False


@pytest.mark.parametrize("harm", ["cut", "gone"])
def test_a_cold_copy_that_lacks_something_is_found_out(copied, harm, monkeypatch):
    monkeypatch.setattr(verifying, "SETTLED", timedelta(0))
    path = file_of(OWNER)
    if harm == "gone":
        path.unlink()
    else:
        path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    row = verified("cold")
    assert (row.is_sound, row.finding[:5]) == (False, "lacks")


def test_what_was_not_verified_is_verified_by_the_clock(copied):
    take_snapshot()
    while jobs.work(seconds=60):
        pass
    assert set(Copy.objects.values_list("kind", "is_sound")) == {
        ("cold", True),
        ("daily", True),
    }
    take_snapshot()
    assert Job.objects.filter(kind=verifying.KIND).count() == 2


def test_a_missed_day_and_a_late_cold_copy_are_alarms(say, copied):
    assert alarms() == []
    assert alarms(hours=27) == ["snapshot_missed"]
    say("I like tea")
    assert alarms() == []
    assert alarms(minutes=2) == ["cold_copy_behind"]


def test_an_installation_without_a_first_snapshot_waits_a_day(say):
    say("I like tea")
    drain()
    assert alarms() == []
    assert alarms(hours=27) == ["snapshot_missed"]


def test_snapshots_that_are_not_wanted_are_not_missed(say, settings):
    settings.SNAPSHOTS_KEPT = 0
    say("I like tea")
    drain()
    assert alarms(hours=27) == []


def test_who_leaves_a_snapshot_makes_it_due_again(copied, say):
    assert verified("daily").is_sound
    keeping.remove_owner(OWNER)
    row = Copy.objects.get(kind="daily")
    assert (row.memories, row.verified_at) == (0, None)
    assert verified("daily").is_sound
