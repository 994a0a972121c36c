from datetime import UTC, datetime, timedelta

import pytest

from memory_core import ledger
from memory_core.keys import tombstones
from memory_core.ledger import Event
from memory_core.models import Tombstone

NOW = datetime(2026, 11, 30, tzinfo=UTC)
DAY = timedelta(days=1)
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _place(settings, tmp_path):
    settings.LEDGER_DIR = tmp_path


def erased(name, *, in_database=True):
    made = tombstones.current("owner", name)
    ledger.append(Event.ERASE, [made], request=f"c-{name}", now=NOW)
    if in_database:
        Tombstone.objects.create(digest=made.digest, key_id=made.kid, fenced_at=NOW)
    return made


def test_a_database_that_knows_all_erasures_is_not_behind():
    erased("ming")
    assert not ledger.is_ahead_of_database()


def test_an_erasure_without_its_tombstone_shows_an_old_database():
    erased("ming")
    erased("hong", in_database=False)
    assert [one.request for one in ledger.missing()] == ["c-hong"]
    assert ledger.is_ahead_of_database()


def test_a_name_has_no_tombstone_and_is_not_missed():
    name = tombstones.current("name", "Li Ming")
    ledger.append(Event.ERASE, [name], request="c-1", now=NOW)
    assert not ledger.is_ahead_of_database()


def test_somebody_who_came_back_is_not_missed():
    made = erased("ming", in_database=False)
    ledger.append(Event.LIFT, [made], request="c-2", now=NOW)
    assert not ledger.is_ahead_of_database()


def test_a_tombstone_that_was_lifted_after_the_backup_is_lifted_again():
    made = erased("ming")
    erased("hong")
    ledger.append(Event.LIFT, [made], request="c-2", now=NOW)
    assert ledger.lift_again(now=NOW) == 1
    assert Tombstone.objects.get(lifted_at=NOW).digest == made.digest
    assert ledger.lift_again(now=NOW) == 0


def test_somebody_erased_a_second_time_needs_a_tombstone_that_stands():
    made = erased("ming")
    ledger.append(Event.LIFT, [made], request="c-2", now=NOW)
    ledger.lift_again(now=NOW)
    ledger.append(Event.ERASE, [made], request="c-3", now=NOW + DAY)
    assert [one.request for one in ledger.missing()] == ["c-3"]


def test_a_lost_line_of_somebody_who_came_back_erases_nobody():
    made = erased("ming")
    Tombstone.objects.filter(digest=made.digest).update(lifted_at=NOW + DAY)
    assert not ledger.is_ahead_of_database()
    assert ledger.catch_up(now=NOW) == 1
    assert ledger.standing() == []
    assert ledger.catch_up(now=NOW) == 0


def test_a_ledger_that_lost_its_end_gets_it_back(settings):
    erased("ming")
    erased("hong")
    path = settings.LEDGER_DIR / "erasures.jsonl"
    path.write_text(path.read_text().splitlines(keepends=True)[0])
    assert ledger.catch_up(now=NOW) == 1
    assert [one.request for one in ledger.standing()] == ["c-ming", ""]
    assert ledger.catch_up(now=NOW) == 0


def test_a_tombstone_that_was_lifted_before_it_was_noted_stays_out():
    made = erased("ming", in_database=False)
    ledger.append(Event.LIFT, [made], request="c", now=NOW)
    Tombstone.objects.create(
        digest=made.digest, key_id=made.kid, fenced_at=NOW, lifted_at=NOW
    )
    assert ledger.catch_up(now=NOW) == 0
