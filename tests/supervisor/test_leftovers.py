"""A killed supervisor leaves nothing that the next start does not end."""

import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from tests.supervisor.service import Service

pytestmark = pytest.mark.server


def test_the_parts_end_with_their_supervisor(
    copied_home: Path, start: Callable[..., Service]
) -> None:
    service = start(copied_home)
    family = service.family()
    service.process.kill()
    _, alive = psutil.wait_procs(family, timeout=200)
    assert alive == []


def test_a_new_start_ends_what_is_left_over_and_nothing_else(
    copied_home: Path, start: Callable[..., Service], tmp_path: Path
) -> None:
    killed = start(copied_home)
    family = killed.family()
    for process in family:
        process.suspend()  # so that the end of their supervisor does not reach them
    killed.process.kill()
    killed.process.wait()
    assert all(process.is_running() for process in family)
    namesake = shutil.copy("/bin/sleep", tmp_path / "postgres")
    innocents = [
        subprocess.Popen([namesake, "120"], cwd=tmp_path),
        subprocess.Popen(["/bin/sleep", "120"], cwd=copied_home / "postgres"),
    ]
    try:
        service = start(copied_home)
        assert "left over from an earlier run" in service.said()
        assert not any(_runs(process) for process in family)
        assert [process.poll() for process in innocents] == [None, None]
        service.wait_answers()
    finally:
        for process in innocents:
            process.kill()
            process.wait()


def test_a_recorded_number_that_names_another_process_now_is_left_alone(
    copied_home: Path, start: Callable[..., Service]
) -> None:
    innocent = subprocess.Popen(["/bin/sleep", "120"], start_new_session=True)
    try:
        killed = start(copied_home)
        killed.process.kill()
        killed.process.wait()
        record = copied_home / "supervisor.json"
        text = record.read_text()
        record.write_text(text.replace(str(killed.pid("Worker")), str(innocent.pid)))
        start(copied_home)
        time.sleep(0.2)
        assert innocent.poll() is None
    finally:
        innocent.kill()
        innocent.wait()


def test_a_copy_of_a_home_in_use_leaves_the_processes_of_the_original_alone(
    copied_home: Path, start: Callable[..., Service]
) -> None:
    original = start(copied_home)
    family = original.family()
    copy = copied_home.with_name(f"copy of {copied_home.name}")
    copy.mkdir()
    shutil.copy(copied_home / "supervisor.json", copy)
    start(copy)
    assert all(_runs(process) for process in family)
    original.wait_answers()
    assert "ended" not in original.said()


def test_the_lock_of_a_dead_postgres_whose_number_is_in_use_again_does_not_matter(
    copied_home: Path, start: Callable[..., Service]
) -> None:
    owner = (copied_home / "postgres").stat().st_uid
    innocent = subprocess.Popen(["/bin/sleep", "120"], cwd="/", user=owner)
    lock = copied_home / "postgres" / "postmaster.pid"
    lock.write_text(f"{innocent.pid}\n{copied_home / 'postgres'}\n")
    try:
        start(copied_home)
        assert innocent.poll() is None
    finally:
        innocent.kill()
        innocent.wait()


def _runs(process: psutil.Process) -> bool:
    return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
