from datetime import timedelta

import pytest
from django.utils import timezone

from memory_core.contracts.enums import Status
from memory_core.models import (
    AuditEntry,
    Category,
    CategoryOverride,
    Corpus,
    Memory,
    MemoryTerm,
    MemoryUse,
    MemoryVector,
    Namespace,
)
from memory_core.scoring import Policy, Strength, live_score
from tests.consolidation.conftest import row, use_of

pytestmark = pytest.mark.django_db


def end(memory_id, *, at):
    """Let a memory have ended since it was saved."""
    Memory.unscoped.filter(pk=memory_id).update(expire_at=at)


def test_what_passed_its_end_expires(say, consolidate):
    now = timezone.now()
    over = say("本周吃素", category="temporary", expire_at=now + timedelta(hours=1))
    end(over, at=now - timedelta(minutes=1))
    open_ = say("周五前交报告", category="task", expire_at=now + timedelta(days=1))
    job = consolidate()
    assert job.counts == {"expired": 1}
    assert row(over).status == Status.EXPIRED
    assert row(open_).status == Status.ACTIVE
    assert MemoryVector.objects.get(memory=over).status == Status.EXPIRED


@pytest.mark.parametrize(
    ("days", "status"), [(239, Status.ACTIVE), (241, Status.ARCHIVED)]
)
def test_a_preference_is_archived_two_half_lives_after_it_faded(
    say, consolidate, days, status
):
    """0.6 halves to 0.15 in 120 days; two half-lives of 60 days later it may go."""
    memory = say("I like blue", days_ago=days)
    consolidate()
    assert row(memory).status == status


def test_a_case_gives_the_numbers(say, consolidate):
    memory = say("I like blue", days_ago=300)
    job = consolidate()
    [case] = job.cases
    expected = live_score(
        Strength(0.6, row(memory).observed_at),
        Policy(60.0),
        now=timezone.now(),
        with_bonus=False,
    )
    assert case["memory_id"] == str(memory)
    assert case["action"] == "archived"
    assert case["score"] == pytest.approx(expected, abs=1e-4)
    assert (case["archive_below"], case["half_life_days"]) == (0.15, 60.0)
    entry = AuditEntry.objects.get(action="consolidation.archived")
    assert entry.memory_id == memory
    assert entry.details["run"] == str(job.pk)


def test_recalls_do_not_keep_a_memory_by_their_number_alone(say, consolidate):
    memory = say("I like blue", days_ago=600)
    MemoryUse.objects.filter(pk=memory).update(access_count=50)
    consolidate()
    assert row(memory).status == Status.ARCHIVED


def test_a_recall_within_two_half_lives_keeps_it(say, consolidate):
    memory = say("I like blue", days_ago=600)
    recalled = timezone.now() - timedelta(days=100)
    MemoryUse.objects.filter(pk=memory).update(
        base_score=0.01, last_accessed_at=recalled
    )
    consolidate()
    assert row(memory).status == Status.ACTIVE


def test_permanent_memories_and_tasks_with_a_deadline_do_not_fade(say, consolidate):
    ahead = timezone.now() + timedelta(days=5)
    task = say("交年度报告", category="task", days_ago=900, expire_at=ahead)
    kept = say("My blood type is AB", category="profile", days_ago=9000)
    type(row(kept)).unscoped.filter(pk=kept).update(tier="permanent")
    consolidate()
    assert row(task).status == Status.ACTIVE
    assert row(kept).status == Status.ACTIVE


def test_the_policy_of_the_namespace_counts(say, consolidate, voice):
    CategoryOverride.objects.create(
        category=Category.objects.get(name="preference"),
        namespace=Namespace.objects.get(name="shop"),
        half_life=1.0,
    )
    memory = say("I like blue", days_ago=5)
    consolidate()
    assert row(memory).status == Status.ARCHIVED


def test_a_very_old_memory_is_no_numerical_accident(say, consolidate):
    memory = say("this week vegetarian", category="temporary", days_ago=12_000)
    assert consolidate().state == "done"
    assert row(memory).status == Status.ARCHIVED


def test_the_indexes_follow_the_archive(say, consolidate):
    say("I like blue", days_ago=300)
    consolidate()
    assert set(MemoryTerm.objects.values_list("status", flat=True)) == {Status.ARCHIVED}
    assert Corpus.objects.get().memories == 0


def test_a_dry_run_explains_and_changes_nothing(say, consolidate):
    old = say("I like blue", days_ago=300)
    now = timezone.now()
    over = say("本周吃素", category="temporary", expire_at=now + timedelta(hours=1))
    end(over, at=now)
    job = consolidate(dry_run=True)
    assert job.counts == {"archived": 1, "expired": 1}
    assert {case["memory_id"] for case in job.cases} == {str(old), str(over)}
    assert row(old).status == row(over).status == Status.ACTIVE
    assert consolidate().counts == job.counts


def test_a_second_run_finds_nothing(say, consolidate):
    say("I like blue", days_ago=300)
    assert consolidate().counts == {"archived": 1}
    assert consolidate().counts == {}


def test_a_run_for_one_owner_leaves_the_others(say, consolidate):
    mine = say("I like blue", days_ago=300)
    other = say("I like blue", days_ago=300, owner_id="somebody")
    consolidate(owner_id="somebody", namespace="shop")
    assert row(mine).status == Status.ACTIVE
    assert row(other).status == Status.ARCHIVED
    assert use_of(mine).base_score == pytest.approx(0.6)


@pytest.mark.parametrize("base", [0.6, 5e-324])
def test_a_memory_of_another_century_is_archived_and_stops_nothing(
    say, consolidate, base
):
    long_ago = timezone.now() - timedelta(days=365 * 1900)
    old = say("穿了紫色的围巾", category="temporary", observed_at=long_ago)
    MemoryUse.objects.filter(memory=old).update(base_score=base)
    assert consolidate().counts == {"archived": 1}
    assert row(old).status == Status.ARCHIVED
