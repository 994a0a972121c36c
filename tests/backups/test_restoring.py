"""A backup and the way back, on a real server."""

import json
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from memory_core import auditing, ledger
from memory_core.auditing.seal import seal
from memory_core.auditing.verify import verify
from memory_core.backups import (
    BackupError,
    catalogue,
    dumping,
    loading,
    manifest,
    restoring,
)
from memory_core.contracts.callers import SYSTEM
from memory_core.keys import tombstones
from memory_core.ledger import Event, mode
from memory_core.models import AuditEntry, Memory, Owner, Tombstone
from tests.backups.conftest import NOW

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _alone(transactional_db):
    """Nobody else is connected when a restore begins, no server of pages either."""
    loading.end_others()
    connection.close()


def texts():
    return set(Memory.unscoped.values_list("content", flat=True))


def erase(owner):
    """Erase a person as the ledger and the tables show it afterwards."""
    made = tombstones.current("owner", owner)
    ledger.append(Event.ERASE, [made], request="ER-1", now=timezone.now())
    Tombstone.objects.create(digest=made.digest, key_id=made.kid, fenced_at=NOW)
    Memory.unscoped.filter(owner__external_id=owner).delete()
    Owner.objects.filter(external_id=owner).delete()


def note(action):
    with transaction.atomic():
        auditing.record(action, by=SYSTEM)


def test_a_backup_has_a_manifest_and_a_place_in_the_catalogue(to, remember):
    remember("ming", "I like tea")
    made = dumping.take(to, now=NOW)
    found = manifest.read(to / made.id)
    assert (found.sha256, found.bytes) == (made.sha256, made.bytes)
    assert made.expires_at == NOW + timedelta(days=30)
    assert catalogue.standing() == [made]
    dump = to / made.id / "database.dump"
    assert dump.stat().st_mode & 0o077 == 0
    assert b"PGDMP" in dump.read_bytes()[:5]
    assert [one.name for one in to.iterdir()] == [made.id]


def test_a_restore_brings_back_and_the_ledger_takes_out_again(to, remember):
    remember("ming", "I am allergic to peanuts")
    remember("hong", "I like tea")
    made = dumping.take(to, now=timezone.now())
    erase("ming")
    remember("hong", "I like jazz")
    connection.close()
    restoring.restore(to / made.id, by=SYSTEM, now=timezone.now())
    assert mode.state().stage == "waiting"
    assert texts() == {"I am allergic to peanuts", "I like tea"}
    done = restoring.reapply(by=SYSTEM, now=timezone.now())
    assert (done.erased, done.problem) == (1, "")
    assert texts() == {"I like tea"}
    assert not Owner.objects.filter(external_id="ming").exists()
    assert not mode.is_on()
    assert not ledger.is_ahead_of_database()


def test_the_audit_log_is_whole_after_a_restore(to, remember):
    note("before")
    seal(now=timezone.now())
    made = dumping.take(to, now=timezone.now())
    note("after")
    seal(now=timezone.now())
    connection.close()
    restoring.restore(to / made.id, by=SYSTEM, now=timezone.now())
    assert AuditEntry.objects.filter(action="after").exists()
    seal(now=timezone.now())
    report = verify(now=timezone.now())
    assert report.intact, report
    assert AuditEntry.objects.get(action="backup.restore").details["entries"] == 1


def test_a_restore_that_was_killed_is_brought_to_its_end(to, remember, monkeypatch):
    remember("ming", "I like tea")
    made = dumping.take(to, now=timezone.now())
    erase("ming")
    note("after")
    seal(now=timezone.now())
    connection.close()
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(restoring, "_settle", interrupted)
        restoring.restore(to / made.id, by=SYSTEM, now=timezone.now())
    assert mode.state().stage == "restoring"
    note("meanwhile")
    assert restoring.reapply(by=SYSTEM, now=timezone.now()).problem == ""
    assert texts() == set()
    assert not mode.is_on()
    assert AuditEntry.objects.filter(action="after").exists()
    seal(now=timezone.now())
    assert verify(now=timezone.now()).intact


def interrupted(*args, **options):
    raise KeyboardInterrupt


def test_two_restores_do_not_meet(to):
    made = dumping.take(to, now=NOW)
    with restoring._alone(), pytest.raises(BackupError, match="under way"):
        restoring.restore(to / made.id, by=SYSTEM, now=NOW)
    assert not mode.is_on()


def test_a_damaged_backup_changes_nothing(to, remember):
    remember("ming", "I like tea")
    made = dumping.take(to, now=NOW)
    dump = to / made.id / "database.dump"
    dump.write_bytes(dump.read_bytes()[:-1])
    with pytest.raises(BackupError, match="checksum"):
        restoring.restore(to / made.id, by=SYSTEM, now=NOW)
    assert texts() == {"I like tea"}
    assert not mode.is_on()


def test_a_dump_that_breaks_off_changes_nothing(to, remember):
    remember("ming", "I like tea")
    made = dumping.take(to, now=NOW)
    place = to / made.id
    dump = place / "database.dump"
    dump.write_bytes(dump.read_bytes()[: made.bytes * 2 // 3])
    told = json.loads((place / "manifest.json").read_text())
    told["sha256"] = manifest.checksum(dump)
    (place / "manifest.json").write_text(json.dumps(told))
    connection.close()
    with pytest.raises(BackupError, match="cannot be loaded"):
        restoring.restore(place, by=SYSTEM, now=NOW)
    assert texts() == {"I like tea"}
    assert not mode.is_on()


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("installation", "00" * 16, "another installation"),
        ("migrations", [["memory_core", "9999_later"]], "newer version"),
        ("format", "other", "another version"),
    ],
)
def test_a_backup_that_does_not_fit_is_refused(to, name, value, reason):
    made = dumping.take(to, now=NOW)
    path = to / made.id / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), name: value}))
    with pytest.raises(BackupError, match=reason):
        restoring.restore(to / made.id, by=SYSTEM, now=NOW)


def test_the_newest_backup_of_a_folder_is_taken(to):
    dumping.take(to, now=NOW)
    second = dumping.take(to, now=NOW + timedelta(hours=1))
    assert restoring.newest(to).name == second.id
    assert restoring.newest(to / second.id).name == second.id
    with pytest.raises(BackupError, match="no backup"):
        restoring.newest(to / "nothing")


def test_a_database_that_is_behind_closes_the_service():
    assert not restoring.close_if_behind(now=NOW)
    made = tombstones.current("owner", "ming")
    ledger.append(Event.ERASE, [made], request="ER-1", now=NOW)
    assert restoring.close_if_behind(now=NOW)
    assert mode.state().reason == "ledger_ahead"


def test_a_ledger_that_was_changed_closes_the_service(settings):
    made = tombstones.current("owner", "ming")
    ledger.append(Event.ERASE, [made], request="ER-1", now=NOW)
    path = settings.LEDGER_DIR / "erasures.jsonl"
    path.write_text(path.read_text().replace("ER-1", "ER-2"))
    assert restoring.close_if_behind(now=NOW)
    assert mode.state().reason == "ledger_broken"
