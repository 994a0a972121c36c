from datetime import UTC, datetime

import pytest

from memory_core.ledger import mode

NOW = datetime(2026, 11, 30, tzinfo=UTC)


@pytest.fixture(autouse=True)
def path(settings, tmp_path):
    settings.LEDGER_DIR = tmp_path / "ledger"
    return settings.LEDGER_DIR / "restore.json"


def test_the_service_is_open_until_a_restore_begins_and_after_it_ended():
    assert not mode.is_on()
    mode.begin("restored", stage="restoring", backup="b-1", now=NOW)
    assert mode.is_on()
    assert mode.state() == mode.Restore(
        "restored", NOW.isoformat(), "restoring", backup="b-1"
    )
    mode.end()
    assert not mode.is_on()
    assert mode.state() is None


def test_a_file_that_cannot_be_read_keeps_the_service_closed(path):
    path.parent.mkdir()
    path.write_text("{")
    assert mode.is_on()
    assert mode.state().problem == "unreadable"
