"""The log when the clock lies, many write at once, and it has grown large."""

import json
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import time_machine
from django.db import connection, transaction
from django.utils import timezone

from memory_core import auditing
from memory_core.auditing import verify as verifying
from memory_core.auditing.seal import seal
from memory_core.auditing.verify import verify
from memory_core.contracts.callers import Actor
from memory_core.models import AuditEntry
from tests.auditing.test_chain import _audit_dir

__all__ = ["_audit_dir"]
BY = Actor("operator:test")


@pytest.mark.django_db(transaction=True)
def test_many_writers_make_one_chain():
    def write(number: int) -> None:
        for step in range(10):
            with transaction.atomic():
                auditing.record("test.event", by=BY, writer=number, step=step)
        connection.close()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    while seal(now=timezone.now()):
        pass
    report = verify()
    assert report.intact
    assert report.checked == AuditEntry.objects.count() == 80


@pytest.mark.django_db
def test_a_clock_that_is_set_back_breaks_no_chain():
    now = timezone.now()
    for moved in (timedelta(), -timedelta(days=1), timedelta(days=1)):
        with time_machine.travel(now + moved, tick=False):
            auditing.record("test.event", by=BY)
            seal(now=timezone.now())
    assert verify().intact


@pytest.mark.django_db
def test_a_name_cannot_forge_a_line_of_the_log():
    name = "agent:x\n2026 operator:root approved\x1b[2J\u202e"
    entry = auditing.record("test.event", by=Actor(name))
    seal(now=timezone.now())
    assert AuditEntry.objects.get(pk=entry.pk).actor == name
    assert verify().intact


@pytest.mark.django_db
def test_a_check_holds_one_chunk_however_long_the_chain_is(monkeypatch):
    monkeypatch.setattr(verifying, "CHUNK", 50)
    peaks = []
    for _ in range(2):
        for _ in range(400):
            auditing.record("test.event", by=BY, words="x" * 1_000)
        while seal(now=timezone.now()):
            pass
        verify()  # what is imported and prepared once
        tracemalloc.start()
        assert verify().intact
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0], peaks


@pytest.mark.django_db
def test_entries_that_were_put_aside_are_found_by_a_join():
    """A subquery that does not fit into memory is read once for each entry."""
    for _ in range(20):
        auditing.record("test.event", by=BY)
    seal(now=timezone.now())
    loose = auditing.record("test.event", by=BY)
    assert [one.pk for one in verifying.unsealed()] == [loose.pk]
    plan = json.dumps(json.loads(verifying.unsealed().explain(format="json")))
    assert '"Anti"' in plan
    assert "SubPlan" not in plan
