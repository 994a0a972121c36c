"""Half-lives: seen first, tried on kept queries, saved as a version, taken back."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.utils import timezone
from django.utils.timezone import now

from memory_core import jobs
from memory_core.actions import consolidation
from memory_core.contracts.categories import Settings
from memory_core.contracts.enums import Status
from memory_core.models import (
    AuditEntry,
    Category,
    Job,
    Memory,
    MemoryUse,
    RecallSample,
)
from memory_core.tasks import consolidation as _registers  # noqa: F401
from memory_core.tasks import tuning as _registers_too  # noqa: F401
from moderation import size
from moderation.dropping import TOGETHER, most_generous
from moderation.models import CategoryChange
from moderation.presenters.categories import crosses, preview
from moderation.presenters.durations import in_words
from tests.factories.crowds import make_crowd
from tests.factories.world import BY

pytestmark = pytest.mark.django_db
VALUES = {"half_life": "90", "floor": "0", "bonus_cap": "0.2", "archive_below": "0.15"}


@pytest.fixture
def faint(held):
    """A preference of 300 days that a half-life of 20 days would drop at once."""
    memory = held()
    rows = Memory.unscoped.filter(pk=memory.pk)
    rows.update(status=1, observed_at=timezone.now() - timedelta(days=300))
    MemoryUse.objects.filter(memory=memory).update(base_score=0.6)
    Category.objects.update(half_life=3000)
    memory.refresh_from_db()
    return memory


def post(client, faint, **changed):
    path = f"/categories/{faint.category.name}/tune/"
    return client.post(path, {**VALUES, **changed}, follow=True)


def test_saving_makes_a_version_and_taking_it_back_another(signed_in):
    client = signed_in("operator")
    client.post("/categories/preference/tune/", {**VALUES, "note": "too short"})
    category = Category.objects.get(name="preference")
    assert (category.half_life, category.version) == (90, 2)
    first = category.versions.get(version=1)
    client.post(f"/categories/versions/{first.pk}/roll-back/")
    category.refresh_from_db()
    assert (category.half_life, category.version) == (60, 3)
    entries = AuditEntry.objects.filter(action="category.tune")
    assert [one.details["half_life"] for one in entries.order_by("pk")] == [90, 60]
    page = client.get("/categories/preference/").content.decode()
    assert "half-life 60 days → 90 days" in page
    assert "half-life 90 days → 60 days" in page


@pytest.mark.parametrize(
    "wrong",
    [
        {"half_life": "0"},
        {"half_life": "nan"},
        {"floor": "2"},
        {"half_life": "11", "unit": "years"},
        {"half_life": "0.5", "unit": "hours"},
        {"half_life": "5", "unit": "weeks"},
    ],
)
def test_values_that_mean_nothing_change_nothing(signed_in, wrong):
    answer = signed_in("operator").post(
        "/categories/preference/tune/", {**VALUES, **wrong}
    )
    assert answer.status_code == 422
    assert Category.objects.get(name="preference").half_life == 60


@pytest.mark.parametrize(
    ("number", "unit", "days"), [("36", "hours", 1.5), ("2", "years", 730)]
)
def test_a_half_life_is_typed_in_the_unit_that_suits(signed_in, number, unit, days):
    values = {**VALUES, "half_life": number, "unit": unit}
    signed_in("operator").post("/categories/preference/tune/", values)
    assert Category.objects.get(name="preference").half_life == pytest.approx(days)


def test_the_preview_is_a_fragment_and_changes_nothing(signed_in):
    answer = signed_in("operator").get(
        "/categories/preference/", {**VALUES}, headers={"HX-Request": "true"}
    )
    page = answer.content.decode()
    assert "<html" not in page
    assert "Half of the score is left after 90 days" in page
    assert Category.objects.get(name="preference").half_life == 60


def test_the_sentence_tells_what_never_falls_and_what_begins_below():
    category = Category.objects.get(name="preference")
    now = timezone.now()
    never = preview(category, Settings(60, 0.2, 0.2, 0.15), now=now)
    assert "never falls below the threshold" in never.sentence
    below = preview(category, Settings(60, 0, 0.2, 0.7), now=now)
    assert "below the threshold from the start" in below.sentence


def test_a_statement_crosses_the_threshold_when_it_has_halved_often_enough():
    assert crosses(Settings(60, 0, 0.2, 0.15)) == pytest.approx(120)
    assert crosses(Settings(60, 0.15, 0.2, 0.15)) is None
    assert crosses(Settings(60, 0, 0.2, 0)) is None


@pytest.mark.parametrize(
    ("days", "words"),
    [
        (1 / 48, "30 minutes"),
        (1 / 24, "1 hour"),
        (1.5, "36 hours"),
        (60, "60 days"),
        (3650, "10 years"),
    ],
)
def test_lengths_of_time_are_in_the_unit_that_reads_best(days, words):
    assert in_words(days) == words


def test_the_page_shows_what_would_drop(signed_in, faint):
    client = signed_in("operator")
    page = client.get(
        f"/categories/{faint.category.name}/", {**VALUES, "half_life": "20"}
    ).content.decode()
    assert "Would drop" in page
    assert f"/memories/{faint.pk}/" in page
    assert "a second person must confirm it" in page


def test_what_drops_much_waits_for_a_second_person(signed_in, faint):
    first, second = signed_in("operator", "ann"), signed_in("operator", "bob")
    page = post(first, faint, half_life="20", note="tidy").content.decode()
    assert "a second person must confirm it" in page
    change = CategoryChange.objects.get()
    assert (change.share, change.state) == (1.0, CategoryChange.State.WAITING)
    faint.category.refresh_from_db()
    assert faint.category.half_life == 3000
    assert "waits for a second person" in second.get("/categories/").content.decode()
    path = f"/categories/changes/{change.pk}/confirm/"
    assert first.post(path).status_code == 409
    assert second.post(path).status_code == 302
    faint.category.refresh_from_db()
    assert faint.category.half_life == 20
    assert second.post(path).status_code == 409
    actions = list(AuditEntry.objects.values_list("action", flat=True))
    assert {"category.propose", "category.confirm", "category.tune"} <= set(actions)


def test_small_changes_of_a_week_count_as_one(signed_in, faint):
    crowd_by_age(faint, [300, 290, *[1] * 30])
    client = signed_in("operator", "ann")
    assert waits_after(client, faint, half_life="148") is False  # 300 days drop
    assert waits_after(client, faint, half_life="144") is True  # 290 days too
    category = Category.objects.get(pk=faint.category_id)
    later = now() + TOGETHER + timedelta(hours=1)
    assert most_generous(category, None, now=now()).half_life == 3000
    assert most_generous(category, None, now=later).half_life == 148


def test_going_up_and_down_in_steps_is_a_change_too(signed_in, faint):
    crowd_by_age(faint, [300, 290, *[1] * 30])
    Category.objects.update(half_life=144)
    client = signed_in("operator", "ann")
    assert waits_after(client, faint, half_life="3000") is False
    assert waits_after(client, faint, half_life="148") is False
    assert waits_after(client, faint, half_life="144") is True


def test_a_namespace_of_its_own_does_not_hide_the_changes_of_all(signed_in, faint):
    crowd_by_age(faint, [300, 290, *[1] * 30])
    client = signed_in("operator", "ann")
    assert waits_after(client, faint, half_life="148") is False
    assert waits_after(client, faint, half_life="144", namespace="support") is True


def test_what_a_second_person_has_confirmed_counts_no_more(signed_in, faint):
    crowd_by_age(faint, [300, 290, 280, *[1] * 27])
    first, second = signed_in("operator", "ann"), signed_in("operator", "bob")
    assert waits_after(first, faint, half_life="144") is True
    change = CategoryChange.objects.get()
    second.post(f"/categories/changes/{change.pk}/confirm/")
    assert waits_after(first, faint, half_life="139") is False


def test_the_preview_tells_what_the_week_drops_together(signed_in, faint):
    crowd_by_age(faint, [300, 290, *[1] * 30])
    client = signed_in("operator", "ann")
    waits_after(client, faint, half_life="148")
    path = f"/categories/{faint.category.name}/"
    page = client.get(path, {**VALUES, "half_life": "144"}).content.decode()
    assert "Together with the other changes of the last seven days" in page


def test_the_effect_stands_by_age_and_by_source(signed_in, faint):
    crowd_by_age(faint, [300, 290, 1])
    path = f"/categories/{faint.category.name}/spread/"
    client = signed_in("operator")
    values = {**VALUES, "half_life": "100", "floor": "0"}
    page = client.get(path, values).content.decode()
    assert "Median age since the last recall: 290 days" in page
    assert f"/sources/{faint.source_id}/" in page
    assert page.count(": 1 drop at once") == 2
    assert page.count(": 1 stay") == 1
    part = client.get(path, values, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    assert client.get(path, {**values, "floor": "2"}).status_code == 422


def crowd_by_age(memory, ages):
    """Make a memory and copies of it as old as that, in days."""
    rows = [memory, *make_crowd(memory, len(ages) - 1)]
    for row, days in zip(rows, ages, strict=True):
        row.observed_at = now() - timedelta(days=days)
    Memory.unscoped.bulk_update(rows, ["observed_at"])


def waits_after(client, memory, **values):
    """Save values; return whether they wait for a second person."""
    before = CategoryChange.objects.filter(state="waiting").count()
    post(client, memory, **values)
    return CategoryChange.objects.filter(state="waiting").count() > before


def test_nothing_is_archived_for_a_day_after_a_confirmed_change(signed_in, faint):
    post(signed_in("operator", "ann"), faint, half_life="20")
    change = CategoryChange.objects.get()
    signed_in("operator", "bob").post(f"/categories/changes/{change.pk}/confirm/")
    assert archived(faint) == Status.ACTIVE
    post(signed_in("operator", "cy"), faint, half_life="21")
    assert archived(faint) == Status.ACTIVE
    Category.objects.update(archives_after=timezone.now())
    assert archived(faint) == Status.ARCHIVED


def archived(memory):
    consolidation.start_everywhere(by=BY)
    while jobs.work(seconds=60):
        pass
    memory.refresh_from_db()
    return memory.status


def test_a_change_is_declined_or_replaced_by_a_later_one(signed_in, faint):
    client = signed_in("operator")
    post(client, faint, half_life="20")
    post(client, faint, half_life="25")
    old, new = CategoryChange.objects.order_by("pk")
    assert (old.state, new.state) == ("declined", "waiting")
    client.post(f"/categories/changes/{new.pk}/decline/")
    new.refresh_from_db()
    assert (new.state, new.decided_by) == ("declined", "operator:operator")


def test_kept_queries_are_asked_again_and_the_result_stands_beside_the_values(
    signed_in, faint
):
    RecallSample.objects.create(
        namespace=faint.namespace,
        owner=faint.owner,
        recall_id=faint.pk,
        query="备份",
        at=timezone.now(),
    )
    client = signed_in("operator")
    path = f"/categories/{faint.category.name}/"
    values = {**VALUES, "half_life": "20"}
    page = client.post(f"{path}back-test/", values, follow=True).content.decode()
    assert "0 of 1 kept queries" in page
    while jobs.work(seconds=60):
        pass
    page = client.get(path, values).content.decode()
    assert "1 kept query was asked again with both settings" in page
    assert "Hit rate" in page
    other = client.get(path, VALUES).content.decode()
    assert "were not asked with these values yet" in other
    job = Job.objects.get(kind="backtest")
    assert client.get(f"/jobs/{job.pk}/").status_code == 200


@pytest.fixture
def large(monkeypatch):
    """A store that is too large to be counted while a page waits."""
    monkeypatch.setattr(size, "LARGE", -2)


def test_a_large_store_is_counted_after_the_page_has_come(signed_in, faint, large):
    client = signed_in("operator")
    path = f"/categories/{faint.category.name}/"
    first = client.get(path, {**VALUES, "unit": "days"}).content.decode()
    assert "Half of the score is left after" in first
    assert "Of 1 active memory" not in first and "First three places" not in first

    [count] = re.findall(r'hx-get="([^"]*count=1)"', first)
    [week] = re.findall(r'hx-get="([^"]*week=1)"', first)
    parts = [
        client.get(unescape(one), headers={"HX-Request": "true"}).content.decode()
        for one in (count, week)
    ]
    assert "Of 1 active memory" in parts[0] and "<html" not in parts[0]
    assert "First three places" in parts[1] and "<html" not in parts[1]


def test_what_a_large_store_leaves_for_later_is_behind_links(signed_in, faint, large):
    client = signed_in("operator")
    first = client.get(f"/categories/{faint.category.name}/").content.decode()
    for name, expected in (("count", "Of 1 active"), ("week", "First three places")):
        [address] = re.findall(rf'<a href="([^"]*{name}=1)"', first)
        page = client.get(unescape(address)).content.decode()
        assert expected in page and "<html" in page


def test_what_a_large_store_saves_is_counted_however_little_was_shown(
    signed_in, faint, large
):
    post(signed_in("operator"), faint, half_life="20")
    assert CategoryChange.objects.get().share == 1.0
