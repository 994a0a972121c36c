"""The copies outside the database, and what is wrong with them."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from memory_core import jobs
from memory_core.models import Copy
from memory_core.saving.vectors import ensure_model
from memory_core.tasks import snapshots as _tasks  # noqa: F401 - registers engines

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _home(settings, tmp_path, db):
    settings.HOME = tmp_path
    settings.SNAPSHOT_DIR = tmp_path / "snapshots"
    settings.COLD_DIR = tmp_path / "cold"
    ensure_model()


def work():
    while jobs.work(seconds=60):
        pass


def missed_day():
    Copy.objects.create(
        kind="daily",
        name="daily-2026-01-01.jsonl",
        taken_at=timezone.now() - timedelta(days=3),
    )


def test_a_snapshot_is_taken_and_read_back_on_request(signed_in):
    client = signed_in("operator")
    assert "no copy yet" in client.get(reverse("copies")).content.decode()
    client.post(reverse("copy-take"))
    work()
    copy = Copy.objects.get(kind="daily")
    assert copy.is_sound
    client.post(reverse("copy-verify", args=[copy.pk]))
    text = client.get(reverse("copies")).content.decode()
    assert copy.name in text and "being read back" in text
    work()
    assert "sound" in client.get(reverse("copies")).content.decode()


@pytest.mark.parametrize("page", ["copies", "overview", "health"])
def test_a_missed_day_is_an_alarm(signed_in, page):
    missed_day()
    client = signed_in("operator")
    assert "A daily snapshot was missed" in client.get(reverse(page)).content.decode()


def test_who_may_not_see_health_gets_no_alarm(signed_in):
    missed_day()
    text = signed_in("compliance").get(reverse("overview")).content.decode()
    assert "missed" not in text


def test_a_moderator_has_no_buttons(signed_in):
    missed_day()
    text = signed_in("moderator").get(reverse("copies")).content.decode()
    assert reverse("copy-take") not in text and "Read back" not in text
