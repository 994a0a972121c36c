"""What a week of recalls says of a half-life."""

import pytest
from django.utils import timezone

from memory_core.models import CategoryOverride
from memory_core.tuning import verdict as judging

pytestmark = pytest.mark.django_db


def test_nothing_is_said_of_what_was_hardly_recalled(say, served, preference):
    served(say("I like blue"), days_ago=1)
    found = judging.verdict(preference, now=timezone.now())
    assert not (found.is_known or found.is_too_short or found.is_too_long)


def test_too_short_when_what_is_recalled_again_and_again_keeps_falling(
    say, served, preference
):
    fallen = [say(f"I like number {n}") for n in range(5)]
    risen = say("I like jazz")
    for day, score in ((6, 0.5), (4, 0.4), (1, 0.3)):
        for memory in fallen:
            served(memory, days_ago=day, rank=9, score=score)
        served(risen, days_ago=day, score=1 - score)
    now = timezone.now()
    found = judging.verdict(preference, now=now)
    assert (found.often, found.falling) == (6, 5)
    assert (found.is_too_short, found.is_too_long) == (True, False)
    rows = judging.falling(preference, now=now)
    assert {one.memory_id for one in rows} == {one.pk for one in fallen}
    assert (rows[0].times, rows[0].first_score, rows[0].last_score) == (3, 0.5, 0.3)


def test_too_long_when_what_nobody_used_still_comes_first(say, served, preference):
    idle = [say(f"I like number {n}", days_ago=130) for n in range(2)]
    fresh = [say(f"I hate letter {n}", days_ago=10) for n in range(4)]
    for memory in idle + fresh:
        served(memory, days_ago=2)
    now = timezone.now()
    found = judging.verdict(preference, now=now)
    assert (found.firsts, found.idle) == (6, 2)
    assert (found.is_too_short, found.is_too_long) == (False, True)
    rows = judging.idle(preference, now=now)
    assert {one.memory_id for one in rows} == {one.pk for one in idle}
    assert rows[0].idle_days == pytest.approx(128, abs=0.1)


def test_a_recall_weeks_before_is_use(say, served, preference):
    for number in range(5):
        memory = say(f"I like number {number}", days_ago=300)
        served(memory, days_ago=40)
        served(memory, days_ago=2)
    assert judging.verdict(preference, now=timezone.now()).idle == 0


def test_places_below_the_first_and_recalls_of_long_ago_do_not_count(
    say, served, preference
):
    for number in range(5):
        memory = say(f"I like number {number}", days_ago=300)
        served(memory, days_ago=8)
        served(memory, days_ago=2, rank=4)
    assert judging.verdict(preference, now=timezone.now()).firsts == 0


def test_a_namespace_with_values_of_its_own_is_judged_by_them(
    say, served, preference, shop
):
    CategoryOverride.objects.create(category=preference, namespace=shop, half_life=10)
    for number in range(5):
        served(say(f"I like number {number}", days_ago=30), days_ago=2)
    now = timezone.now()
    assert judging.verdict(preference, now=now).firsts == 0
    assert judging.verdict(preference, now=now, namespace=shop).idle == 5
