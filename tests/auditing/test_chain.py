"""The audit chain names the place where somebody tampered."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from memory_core import auditing
from memory_core.auditing.seal import seal
from memory_core.auditing.verify import verify
from memory_core.contracts.callers import Actor
from memory_core.models import AuditEntry, AuditSeal

BY = Actor("operator:test")
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _audit_dir(settings, tmp_path):
    settings.AUDIT_DIR = tmp_path / "audit"


@pytest.fixture
def entries() -> list[AuditEntry]:
    """Ten sealed and anchored entries."""
    made = [auditing.record("test.event", by=BY, number=n) for n in range(10)]
    seal(now=timezone.now())
    return made


def as_superuser(statement: str, *values: object) -> None:
    """Change the log the way only the database's owner can."""
    with connection.cursor() as cursor:
        for name in ("auditentry", "auditseal"):
            cursor.execute(f"ALTER TABLE memory_core_{name} DISABLE TRIGGER USER")
        cursor.execute(statement, values)
        for name in ("auditentry", "auditseal"):
            cursor.execute(f"ALTER TABLE memory_core_{name} ENABLE TRIGGER USER")


def test_an_untouched_log_is_intact(entries):
    report = verify()
    assert report.intact
    assert report.checked == report.intact_up_to == 10
    assert report.unsealed == 0


@pytest.mark.parametrize(
    "change",
    [
        "actor = 'operator:other'",
        "actor_token = 'mnm_x'",
        "action = 'test.evenu'",
        "outcome = 'denied'",
        "namespace = 'x'",
        "memory_id = '00000000-0000-0000-0000-000000000000'",
        r"owner_digest = '\x00'",
        r"content_digest = '\x00'",
        "request_id = 'r'",
        "details = '{\"number\": 11}'",
        "at = at + interval '1 microsecond'",
    ],
)
def test_a_changed_column_is_found_and_named(entries, change):
    as_superuser(
        f"UPDATE memory_core_auditentry SET {change} WHERE id = %s", entries[4].pk
    )
    report = verify()
    assert (report.problem, report.position) == ("entry_changed", 5)
    assert report.entry_id == entries[4].pk
    assert report.intact_up_to == 4


@pytest.mark.parametrize("index", [0, 5, 9])
def test_a_removed_entry_is_found_and_named(entries, index):
    as_superuser("DELETE FROM memory_core_auditentry WHERE id = %s", entries[index].pk)
    report = verify()
    assert (report.problem, report.position) == ("entry_removed", index + 1)


def test_two_swapped_entries_are_found(entries):
    first, second = entries[2].pk, entries[3].pk
    as_superuser(
        "UPDATE memory_core_auditseal SET entry_id = CASE position"
        " WHEN 3 THEN -1 ELSE %s END WHERE position IN (3, 4)",
        first,
    )
    as_superuser(
        "UPDATE memory_core_auditseal SET entry_id = %s WHERE position = 3", second
    )
    assert verify().position == 3


def test_a_removed_seal_is_found(entries):
    as_superuser("DELETE FROM memory_core_auditseal WHERE position = 6")
    report = verify()
    assert (report.problem, report.position) == ("seal_removed", 6)


def test_a_cut_tail_is_found_by_the_anchor(entries):
    as_superuser("DELETE FROM memory_core_auditseal WHERE position > 7")
    as_superuser("DELETE FROM memory_core_auditentry WHERE id > %s", entries[6].pk)
    report = verify()
    assert (report.problem, report.position) == ("tail_cut", 8)


def test_a_chain_made_anew_is_found_by_the_anchor(entries):
    as_superuser(
        "UPDATE memory_core_auditentry SET actor = 'forger' WHERE id = %s",
        entries[0].pk,
    )
    as_superuser("DELETE FROM memory_core_auditseal WHERE position > 0")
    anchors = Path(str(_dir())) / "anchors.jsonl"
    kept = anchors.read_text()
    seal(now=timezone.now())
    anchors.write_text(kept)
    report = verify()
    assert report.problem == "anchor_mismatch"


def test_a_forged_anchor_is_found(entries):
    anchors = Path(str(_dir())) / "anchors.jsonl"
    line = json.loads(anchors.read_text().splitlines()[0])
    line["position"] = 99
    anchors.write_text(json.dumps(line) + "\n")
    assert verify().problem == "anchor_forged"


def test_an_entry_slipped_in_below_the_sealed_ones_is_found(entries):
    lower = entries[0].pk - 1
    as_superuser(
        "INSERT INTO memory_core_auditentry (id, at, actor, actor_token, action,"
        " outcome, namespace, owner_digest, content_digest, request_id, details)"
        " OVERRIDING SYSTEM VALUE VALUES"
        " (%s, %s, 'forger', '', 'x', 'done', '', '', '', '', '{}')",
        lower,
        timezone.now() - timedelta(hours=1),
    )
    report = verify()
    assert (report.problem, report.entry_id) == ("entry_not_sealed", lower)


def test_sealing_goes_on_where_it_stopped(entries):
    auditing.record("test.event", by=BY)
    assert verify().unsealed == 1
    assert seal(now=timezone.now()) == 1
    assert seal(now=timezone.now()) == 0
    assert verify().intact_up_to == 11


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE memory_core_auditentry SET actor = 'x'",
        "DELETE FROM memory_core_auditentry",
        "TRUNCATE memory_core_auditentry",
        "UPDATE memory_core_auditseal SET position = 77",
        "DELETE FROM memory_core_auditseal",
    ],
)
def test_the_database_refuses_to_change_the_log(entries, statement):
    with pytest.raises(DatabaseError), transaction.atomic():
        connection.cursor().execute(statement)
    assert AuditEntry.objects.count() == AuditSeal.objects.count() == 10


@pytest.mark.django_db(transaction=True)
def test_an_entry_needs_the_transaction_of_its_change():
    with pytest.raises(RuntimeError):
        auditing.record("test.event", by=BY)


def test_no_text_of_a_memory_stands_in_an_entry():
    entry = auditing.record(
        "memory.save", by=BY, owner_id="canary-owner", content="canary text"
    )
    row = AuditEntry.objects.filter(pk=entry.pk).values().get()
    assert "canary" not in str(row)


def _dir() -> Path:
    from django.conf import settings

    return Path(settings.AUDIT_DIR)
