from datetime import UTC, datetime, timedelta

import pytest

from memory_core.backups import catalogue
from memory_core.backups.catalogue import Backup, Drill
from moderation.presenters.proofs import proofs

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
DAY = timedelta(days=1)
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _place(settings, tmp_path):
    settings.LEDGER_DIR = tmp_path


def said(number, now=NOW):
    proof = proofs(now=now)[number]
    return proof.said, proof.tone


def test_without_any_proof_the_page_says_so():
    assert [one.said for one in proofs(now=NOW)] == ["none yet"] * 3


def test_the_newest_backup_and_one_that_should_be_gone():
    backup = Backup("b", "/nowhere/b", NOW, NOW + 30 * DAY, 1, "00")
    catalogue.add(backup)
    assert said(1) == ("in the catalogue", "good")
    assert said(1, NOW + 31 * DAY)[1] == "bad"
    assert "1 backup is past its date" in said(1, NOW + 31 * DAY)[0]


def test_a_drill_is_good_until_it_is_old_and_bad_when_it_failed():
    catalogue.note_drill(Drill("b", NOW, ok=True))
    assert said(2) == ("restored and erased again", "good")
    assert said(2, NOW + 100 * DAY) == ("long ago", "warn")
    catalogue.note_drill(Drill("b", NOW, ok=False, problem="x"))
    assert said(2) == ("failed", "bad")


def test_the_health_page_shows_them(signed_in):
    catalogue.note_drill(Drill("b", NOW, ok=True))
    page = signed_in("admin").get("/health/").content.decode()
    assert "Proof of forgetting" in page
    assert "restored and erased again" in page
