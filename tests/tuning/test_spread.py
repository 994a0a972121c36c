"""Who wrote and how old is what a change of a half-life touches."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory_core.contracts.categories import Settings
from memory_core.models import Memory, MemoryUse, Source
from memory_core.tuning.effect import effect
from memory_core.tuning.spread import SOURCES, spread
from tests.factories.crowds import make_crowd

pytestmark = pytest.mark.django_db
NOW_VALUES = Settings(half_life=60, floor=0, bonus_cap=0.2, archive_below=0.15)
SHORTER = Settings(half_life=20, floor=0, bonus_cap=0.2, archive_below=0.15)


def look(preference, **options):
    values = {"days": 90, "now": timezone.now(), **options}
    return spread(preference, NOW_VALUES, SHORTER, **values)


def test_memories_stand_in_the_band_of_their_age(say, preference):
    for days in (1, 60, 61, 100):
        say(f"I like number {days}", days_ago=days)
    found = look(preference)
    filled = {band.since: band for band in found.bands if band.stay or band.drop}
    assert {at: (band.stay, band.drop) for at, band in filled.items()} == {
        0: (1, 0),
        60: (0, 2),
    }
    assert (found.older.stay, found.older.drop) == (0, 1)
    assert found.median_days == pytest.approx(60, abs=0.1)


def test_a_recall_makes_young_and_what_lies_ahead_is_youngest(say, preference):
    recalled, ahead = say("I like blue", days_ago=80), say("I like jazz", days_ago=-9)
    MemoryUse.objects.filter(memory=recalled).update(last_accessed_at=timezone.now())
    found = look(preference)
    assert (found.bands[0].stay, ahead.status) == (2, 1)


def test_sources_come_by_what_they_would_lose(say, preference):
    old, young = say("I like blue", days_ago=60), say("I like jazz", days_ago=1)
    other = Source.objects.create(
        namespace=young.namespace, kind="import", name="file", key="file"
    )
    Memory.unscoped.filter(pk=young.pk).update(source=other)
    first, second = look(preference).sources
    assert (first.source, second.source) == (old.source, other)
    assert (first.total, first.below_now) == (1, 0)
    assert first.below_then == {0: 1, 7: 1, 30: 1, 90: 1}
    assert second.below_then == {0: 0, 7: 0, 30: 0, 90: 1}


def test_more_sources_than_the_first_are_summed(say, preference):
    memory = say("I like blue", days_ago=60)
    for at, one in enumerate(make_crowd(memory, SOURCES + 2)):
        source = Source.objects.create(
            namespace=memory.namespace, kind="import", name=f"f{at}", key=f"f{at}"
        )
        Memory.unscoped.filter(pk=one.pk).update(
            source=source, observed_at=timezone.now() - timedelta(days=60)
        )
    found = look(preference).sources
    assert len(found) == SOURCES + 1
    assert (found[-1].source, found[-1].total) == (None, 3)
    whole = effect(preference, NOW_VALUES, SHORTER, now=timezone.now())
    assert sum(one.total for one in found) == whole.total
    assert sum(one.below_then[0] for one in found) == whole.below_then[0]


def test_an_empty_category_has_no_median(preference):
    found = look(preference)
    assert (found.median_days, found.sources) == (None, [])
