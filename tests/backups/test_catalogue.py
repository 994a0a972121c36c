from datetime import timedelta
from pathlib import Path

import pytest

from memory_core.backups import ageing, catalogue
from memory_core.backups.catalogue import Backup, Drill
from tests.backups.conftest import NOW

DAYS = timedelta(days=1)


def backup(to: Path, number: int, *, kept=30 * DAYS) -> Backup:
    place = to / f"mneme-{number}"
    place.mkdir(parents=True)
    (place / "database.dump").write_bytes(b"x")
    taken = NOW + number * DAYS
    made = Backup(f"b-{number}", str(place), taken, taken + kept, 1, "00")
    catalogue.add(made)
    return made


def test_what_was_erased_is_in_the_backups_taken_before(to):
    backup(to, 0)
    second = backup(to, 1)
    backup(to, 5)
    assert catalogue.newest_backup_holding(NOW + 2 * DAYS) == second.expires_at
    assert catalogue.newest_backup_holding(NOW - DAYS) is None


def test_an_expired_backup_is_deleted_and_holds_nothing_any_more(to):
    first = backup(to, 0)
    assert ageing.prune(now=first.expires_at - DAYS) == []
    assert ageing.prune(now=first.expires_at) == ["b-0"]
    assert not Path(first.path).exists()
    assert catalogue.newest_backup_holding(NOW + DAYS) is None


def test_an_expired_backup_on_a_disk_that_is_away_still_counts(to):
    first = backup(to, 0)
    to.rename(to.with_name("away"))
    assert ageing.prune(now=first.expires_at + DAYS) == []
    assert catalogue.newest_backup_holding(NOW + DAYS) == first.expires_at
    to.with_name("away").rename(to)
    assert ageing.prune(now=first.expires_at + DAYS) == ["b-0"]


def test_a_backup_that_somebody_deleted_is_gone_before_its_time(to):
    first = backup(to, 0)
    (Path(first.path) / "database.dump").unlink()
    Path(first.path).rmdir()
    assert ageing.prune(now=NOW + DAYS) == ["b-0"]
    assert catalogue.standing() == []


def test_the_last_drill_is_remembered():
    assert catalogue.last_drill() is None
    catalogue.note_drill(Drill("b-0", NOW, ok=False, problem="no"))
    good = Drill("b-1", NOW + DAYS, ok=True, seconds=4, erased=2)
    catalogue.note_drill(good)
    assert catalogue.last_drill() == good


@pytest.mark.usefixtures("to")
def test_an_empty_catalogue_holds_nothing():
    assert catalogue.newest_backup_holding(NOW) is None
