"""A restore is rehearsed on servers of its own; the running one is not touched."""

import json
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from memory_core import ledger
from memory_core.backups import catalogue, dumping
from memory_core.keys import tombstones
from memory_core.ledger import Event, mode
from memory_core.models import Memory

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.server]


def test_a_drill_restores_erases_again_and_is_noted(to, remember, capsys):
    remember("ming", "I am allergic to peanuts")
    remember("hong", "I like tea")
    made = dumping.take(to, now=timezone.now())
    gone = tombstones.current("owner", "ming")
    ledger.append(Event.ERASE, [gone], request="ER-1", now=timezone.now())
    call_command("restore", "--from", str(to), "--drill", "--json")
    told = json.loads(capsys.readouterr().out)
    assert (told["ok"], told["erased"], told["backup"]) == (True, 1, made.id)
    assert catalogue.last_drill().ok
    assert Memory.unscoped.count() == 2
    assert ledger.head().position == 1
    assert not mode.is_on()


def test_a_damaged_backup_fails_its_drill(to, remember):
    remember("ming", "I like tea")
    made = dumping.take(to, now=timezone.now() + timedelta(hours=1))
    (to / made.id / "database.dump").write_bytes(b"nothing")
    with pytest.raises(CommandError, match="damaged"):
        call_command("restore", "--from", str(to), "--drill")
    drill = catalogue.last_drill()
    assert (drill.ok, "damaged" in drill.problem) == (False, True)
