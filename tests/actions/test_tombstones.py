import json
from datetime import UTC, datetime

import pytest
from django.core.management import CommandError, call_command

from memory_core import ledger
from memory_core.actions import tombstones as actions
from memory_core.contracts.callers import Actor
from memory_core.keys import tombstones
from memory_core.ledger import Event
from memory_core.models import AuditEntry, Tombstone

NOW = datetime(2026, 11, 30, tzinfo=UTC)
BY = Actor("command:test")
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _places(settings, tmp_path):
    settings.KEYS_DIR = tmp_path / "keys"
    settings.LEDGER_DIR = tmp_path / "ledger"


def tombstone(name):
    made = tombstones.current("owner", name)
    return Tombstone.objects.create(
        digest=made.digest, key_id=made.kid, fenced_at=NOW
    ), made


def test_a_rotation_is_on_the_record_and_old_tombstones_keep_their_key():
    tombstone("ming")
    assert actions.rotate(by=BY) == "t2"
    tombstone("hong")
    assert actions.use_of_keys() == {"t2": 1, "t1": 1}
    assert AuditEntry.objects.get(action="tombstone_key.rotate").details["key"] == "t2"


def test_a_key_that_anything_needs_is_not_retired():
    row, made = tombstone("ming")
    actions.rotate(by=BY)
    with pytest.raises(ValueError, match="1 erased"):
        actions.retire(kid="t1", by=BY)
    ledger.append(Event.ERASE, [made], request="c", now=NOW)
    row.delete()
    with pytest.raises(ValueError, match="1 erased"):
        actions.retire(kid="t1", by=BY)
    ledger.append(Event.LIFT, [made], request="c", now=NOW)
    actions.retire(kid="t1", by=BY)
    assert actions.use_of_keys() == {"t2": 0}


def test_the_command_shows_what_stands_under_each_key(capsys):
    tombstone("ming")
    call_command("tombstones", "rotate", "--json")
    assert json.loads(capsys.readouterr().out) == {"t2": 0, "t1": 1}
    with pytest.raises(CommandError, match="no key"):
        call_command("tombstones", "retire", "--key", "t9")
