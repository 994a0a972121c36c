"""An erasure, here another process, does not wait until a long snapshot is written."""

import os
import subprocess
import sys
import time

import pytest
from django.utils import timezone

from memory_core.contracts.erasure import StoreBusy
from memory_core.snapshots import keeping, taking_turns
from memory_core.snapshots.taking_turns import (
    GiveWay,
    alone,
    giving_way,
    is_awaited,
    writing,
)
from memory_core.tasks.snapshots import take_snapshot

pytestmark = pytest.mark.django_db

ERASING = """
import sys
import django
django.setup()
from memory_core.snapshots.taking_turns import alone
with alone():
    print("alone", flush=True)
    sys.stdin.readline()
"""
SECONDS = 120


@pytest.fixture
def folder(settings, tmp_path):
    settings.SNAPSHOT_DIR = tmp_path / "snapshots"
    return settings.SNAPSHOT_DIR


@pytest.fixture
def erasing(folder):
    """Return what starts an erasure and gives its process once it waits."""
    started = []

    def begin():
        process = subprocess.Popen(
            [sys.executable, "-c", ERASING],
            env=os.environ | {"MNEME_SNAPSHOT_DIR": str(folder)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        started.append(process)
        until = time.monotonic() + SECONDS
        while not is_awaited():
            assert time.monotonic() < until
            time.sleep(0.02)
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def ends_well(process):
    """Let the erasure have its turn; return whether it was let in, and ended."""
    was_let_in = process.stdout.readline() == b"alone\n"
    process.communicate(b"\n", timeout=SECONDS)
    return was_let_in and process.returncode == 0


def test_a_snapshot_gives_way_and_is_taken_again(folder, say, erasing):
    say("I like blue")
    begun = []

    def asked():
        begun.append(erasing())
        while True:
            yield True

    assert keeping.take(now=timezone.now(), is_wanted=asked()) is None
    assert not list(folder.glob("daily-*"))
    assert ends_well(begun[0])
    assert keeping.take(now=timezone.now())
    assert len(list(folder.glob("daily-*"))) == 1


def test_a_file_that_is_half_written_goes(folder, erasing):
    path = folder / "daily-2026-01-01.jsonl"
    begun = []

    def pieces():
        yield b"one\n"
        begun.append(erasing())
        yield b"two\n"

    with writing(), pytest.raises(GiveWay):
        keeping.write(path, giving_way(pieces()))
    assert ends_well(begun[0])
    assert not list(folder.glob("daily-*"))


def test_the_snapshot_of_the_day_is_begun_again_behind_the_erasure(
    folder, say, erasing, monkeypatch, django_capture_on_commit_callbacks
):
    say("I like blue")
    sent, begun = [], []
    real = keeping.export_while

    def export_while(*args, **options):
        if not begun:
            begun.append(erasing())
        return real(*args, **options)

    monkeypatch.setattr(keeping, "export_while", export_while)
    monkeypatch.setattr("memory_core.queueing._send", lambda *task: sent.append(task))
    with django_capture_on_commit_callbacks(execute=True):
        take_snapshot()
    assert ("take_snapshot", (), None) in sent
    assert not list(folder.glob("daily-*"))
    process = begun[0]
    process.stdin.write(b"\n")
    process.stdin.flush()
    take_snapshot()
    assert process.wait(SECONDS) == 0
    assert len(list(folder.glob("daily-*"))) == 1


def test_an_erasure_tries_later_if_nobody_gives_way(folder, monkeypatch):
    monkeypatch.setattr(taking_turns, "PATIENCE", 0.1)
    with writing(), pytest.raises(StoreBusy), alone():
        pytest.fail("both at once")
    with alone():
        assert is_awaited()
    assert not is_awaited()
