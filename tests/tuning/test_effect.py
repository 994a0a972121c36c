"""What a change would do to what is stored, by the formula that recalls use."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory_core.contracts.categories import Settings
from memory_core.models import CategoryOverride, Memory, MemoryUse
from memory_core.tuning.effect import effect
from memory_core.tuning.outlook import outlook
from tests.factories.crowds import make_crowd

pytestmark = pytest.mark.django_db
NOW_VALUES = Settings(half_life=60, floor=0, bonus_cap=0.2, archive_below=0.15)
SHORTER = Settings(half_life=20, floor=0, bonus_cap=0.2, archive_below=0.15)


def test_the_counts_tell_what_falls_at_once_and_later(say, preference):
    say("I like blue", days_ago=60)
    say("I like jazz", days_ago=1)
    found = effect(
        preference, NOW_VALUES, SHORTER, now=timezone.now(), days=(0, 30, 90)
    )
    assert (found.total, found.falling, found.falling_share) == (2, 1, 0.5)
    assert found.below_now == {0: 0, 30: 0, 90: 1}
    assert found.below_then == {0: 1, 30: 1, 90: 2}


@pytest.mark.parametrize("base", [0.6, 5e-324])
def test_a_memory_of_another_century_is_counted(say, preference, base):
    memory = say("I like blue", days_ago=365 * 1900)
    MemoryUse.objects.filter(memory=memory).update(base_score=base)
    found = effect(preference, NOW_VALUES, SHORTER, now=timezone.now(), days=(0,))
    assert found.below_then == {0: 1}


def test_a_permanent_memory_and_one_held_by_a_floor_never_fall(say, preference):
    memory = say("I like blue", days_ago=900)
    memory.tier = "permanent"
    memory.save(update_fields=["tier"])
    say("I like jazz", days_ago=900)
    floored = Settings(half_life=1, floor=0.2, bonus_cap=0.2, archive_below=0.15)
    found = effect(preference, NOW_VALUES, floored, now=timezone.now(), days=(90,))
    assert (found.below_now, found.below_then) == ({90: 1}, {90: 0})


def test_a_namespace_with_values_of_its_own_is_not_counted_for_all(
    say, preference, shop
):
    say("I like blue", days_ago=60)
    now = timezone.now()
    CategoryOverride.objects.create(category=preference, namespace=shop, half_life=60)
    assert effect(preference, NOW_VALUES, SHORTER, now=now).total == 0
    assert effect(preference, NOW_VALUES, SHORTER, now=now, namespace=shop).total == 1


def test_examples_are_the_strongest_that_drop_and_the_weakest_that_stay(
    say, preference
):
    now = timezone.now()
    ages = [*range(45, 52), *range(1, 7)]
    crowd = make_crowd(say("I like blue"), len(ages))
    for memory, days in zip(crowd, ages, strict=True):
        memory.observed_at = now - timedelta(days=days)
    Memory.unscoped.bulk_update(crowd, ["observed_at"])
    lost, kept = crowd[:7], crowd[7:]
    found = outlook(preference, NOW_VALUES, SHORTER, now=now)
    assert found.day == 0
    assert [one.memory_id for one in found.drops] == [one.pk for one in lost[:5]]
    assert [one.memory_id for one in found.stays] == [one.pk for one in kept[:0:-1]]
    assert all(one.score_now > 0.15 > one.score_then for one in found.drops)
    assert [one.content for one in found.drops] == [one.content for one in lost[:5]]


def test_what_drops_by_a_later_day_is_found(say, preference):
    memory = say("I like blue", days_ago=20)
    now = timezone.now()
    seen = outlook(preference, NOW_VALUES, SHORTER, now=now)
    assert seen.day == 30
    [found] = seen.drops
    expected = 0.6 * 0.5 ** (50 / 20)
    assert found.memory_id == memory.pk
    assert found.score_then == pytest.approx(expected, abs=1e-4)


def test_the_outlook_counts_what_the_effect_counts(say, preference):
    for days in (1, 30, 60, 200):
        say(f"I like {days}", days_ago=days)
    now = timezone.now()
    seen = outlook(preference, NOW_VALUES, SHORTER, now=now)
    assert seen.effect == effect(preference, NOW_VALUES, SHORTER, now=now)
    assert seen.effect.total == 4


def test_nothing_stored_has_no_examples(preference):
    seen = outlook(preference, NOW_VALUES, SHORTER, now=timezone.now())
    assert (seen.day, seen.drops, seen.stays, seen.effect.total) == (0, [], [], 0)
