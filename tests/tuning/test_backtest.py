"""Kept queries asked again under another half-life."""

from uuid import UUID

import pytest
from django.utils import timezone
from uuid_utils.compat import uuid7

from memory_core import jobs
from memory_core.actions import backtests
from memory_core.contracts.categories import Settings
from memory_core.contracts.enums import JobState
from memory_core.models import (
    CategoryOverride,
    Feedback,
    MemoryUse,
    Owner,
    RecallEvent,
    RecallSample,
)
from memory_core.tasks import tuning as _registers  # noqa: F401
from tests.factories.world import BY
from tests.tuning.conftest import OWNER

pytestmark = pytest.mark.django_db
SHORTER = Settings(half_life=10, floor=0, bonus_cap=0.2, archive_below=0.15)
SAME = Settings(half_life=60, floor=0, bonus_cap=0.2, archive_below=0.15)


@pytest.fixture
def asked(voice, shop):
    """Keep a query of the user; return its sample."""

    def asked(query, **filters):
        return RecallSample.objects.create(
            namespace=shop,
            owner=Owner.objects.get(external_id=OWNER),
            recall_id=uuid7(),
            query=query,
            filters=filters,
            at=timezone.now(),
        )

    return asked


def told(sample, memory, verdict):
    Feedback.objects.create(
        memory_id=memory.pk,
        owner_id=memory.owner_id,
        namespace_id=memory.namespace_id,
        recall_id=sample.recall_id,
        agent_id=1,
        verdict=verdict,
        at=timezone.now(),
    )


def run(category, settings, namespace=None):
    job = backtests.start(
        category=category, settings=settings, by=BY, namespace=namespace
    )
    while jobs.work(seconds=60):
        pass
    job.refresh_from_db()
    assert job.state == JobState.DONE, job.error
    return job


def test_the_numbers_tell_what_would_be_lost(say, asked, preference):
    old, young = say("I like blue", days_ago=40), say("I like green tea", days_ago=1)
    sample = asked("what do I like", top_k=5)
    told(sample, old, "used")
    told(sample, young, "unused")
    before = list(MemoryUse.objects.order_by("pk").values())
    job = run(preference, SHORTER)
    found = job.counts
    assert (found["queries"], found["changed"], found["overlap"]) == (1, 1, 0.5)
    assert (found["wanted"], found["hits_now"], found["hits_then"]) == (1, 1, 0)
    assert (found["told_now"], found["good_now"]) == (2, 1)
    assert (found["told_then"], found["good_then"]) == (1, 0)
    assert found["seconds_now"] > 0
    [case] = job.cases
    assert UUID(case["recall_id"]) == sample.recall_id
    assert (case["lost"], case["gained"]) == ([str(old.pk)], [])
    assert list(MemoryUse.objects.order_by("pk").values()) == before
    assert not RecallEvent.objects.exists()


def test_the_same_values_change_no_answer(say, asked, preference):
    say("I like blue", days_ago=40)
    asked("what do I like")
    found = run(preference, SAME).counts
    assert (found["queries"], found["changed"], found["overlap"]) == (1, 0, 1.0)


def test_a_namespace_is_tried_alone_and_keeps_its_own_values(
    say, asked, preference, shop
):
    say("I like blue", days_ago=40)
    asked("what do I like")
    CategoryOverride.objects.create(category=preference, namespace=shop, half_life=60)
    assert run(preference, SHORTER).counts["changed"] == 0
    assert run(preference, SHORTER, shop).counts["changed"] == 1


def test_a_second_order_while_the_first_is_open_is_the_same(voice, preference):
    first = backtests.start(category=preference, settings=SHORTER, by=BY)
    assert backtests.start(category=preference, settings=SHORTER, by=BY) == first
    assert backtests.latest(preference, SHORTER) == first
    assert backtests.latest(preference, SAME) is None
