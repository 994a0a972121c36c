import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings as live
from django.core.management import call_command
from django.utils import timezone

from memory_core.contracts.callers import SYSTEM
from memory_core.models import AuditEntry, Memory
from memory_core.saving import storage
from memory_core.snapshots import keeping, sealing
from memory_core.tasks.snapshots import take_snapshot
from tests.snapshots.conftest import OWNER, exported, imported, line, rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(settings, tmp_path):
    settings.HOME = tmp_path
    settings.SNAPSHOT_DIR = tmp_path / "snapshots"
    return settings.SNAPSHOT_DIR


def unsealed(path):
    return b"".join(sealing.opened(path.read_bytes().splitlines(keepends=True)))


def test_a_snapshot_of_the_day_brings_everything_back(folder, say, here):
    say("I like blue")
    say("I like tea", owner_id="somebody")
    take_snapshot()
    [path] = folder.glob("*.jsonl")
    assert path.stat().st_mode & 0o077 == 0
    before = [m.pk for m in rows()]
    storage.remove(before)
    assert imported(SYSTEM, unsealed(path)).added == 2
    assert [m.pk for m in rows()] == before


def test_old_snapshots_go(folder, here, settings):
    settings.SNAPSHOTS_KEPT = 2
    now = timezone.now()
    for days in range(5):
        keeping.take(now=now - timedelta(days=days))
    take_snapshot()
    names = sorted(path.name for path in folder.glob("daily-*"))
    assert names == [f"daily-{now - timedelta(days=d):%Y-%m-%d}.jsonl" for d in (1, 0)]


def test_an_owner_leaves_all_files(folder, say, here):
    say("I like blue")
    say("I like tea", owner_id="somebody")
    keeping.take(now=timezone.now())
    bad = line("I like rain", colour="grey")
    imported(here, [bad, bad | {"owner_id": "somebody"}])
    assert keeping.lines_of_owner(OWNER) == 2
    gone = keeping.remove_owner(OWNER)
    assert sorted(gone.values()) == [1, 1]
    assert keeping.lines_of_owner(OWNER) == 0
    assert keeping.lines_of_owner("somebody") == 2
    [path] = folder.glob("*.jsonl")
    report = imported(SYSTEM, unsealed(path), dry_run=True)
    assert (report.lines, report.checksum_mismatches) == (1, [])


def test_commands_export_and_import(folder, say, here, tmp_path, capsys):
    say("I like blue")
    file = tmp_path / "out.jsonl"
    call_command("export", "--to", str(file), "--json")
    assert json.loads(capsys.readouterr().out)["memories"] == 1
    storage.remove([m.pk for m in rows()])
    call_command("import", str(file), "--json", "--dry-run")
    assert json.loads(capsys.readouterr().out)["added"] == 1
    assert not rows()
    call_command("import", str(file), "--json")
    report = json.loads(capsys.readouterr().out)
    assert (report["added"], report["quarantined"]) == (1, [])
    assert Memory.unscoped.get().content == "I like blue"
    by_action = dict(AuditEntry.objects.values_list("action", "actor"))
    assert by_action["memory.export"] == "command:export"
    assert by_action["memory.import"] == "command:import"
    assert by_action["memory.import.end"] == "command:import"
    assert not list((Path(live.HOME) / "imports").glob("*"))
    assert exported(SYSTEM).count(b"\n") == 2
