import threading
from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from memory_core import jobs
from memory_core.actions import consolidation, memories
from memory_core.consolidation import fading, merging, planning, purging
from memory_core.contracts.enums import JobState, Status
from memory_core.contracts.memories import Draft
from memory_core.exceptions import NamespaceNotWritable, NotFound, OwnerNotAllowed
from memory_core.models import (
    Job,
    LegalHold,
    Memory,
    Namespace,
    Owner,
    RecallSample,
)
from memory_core.saving import transitions
from tests.consolidation.conftest import OWNER, row, work
from tests.factories import make_caller

pytestmark = pytest.mark.django_db


def test_a_run_that_was_cut_off_goes_on_where_it_was(say, voice, monkeypatch):
    ids = [say(f"I collect stamp {n}", loaded=True, days_ago=300) for n in range(6)]
    monkeypatch.setattr(fading, "BATCH", 2)
    for name in ("EXPIRED", "FADED"):
        text = getattr(fading, name).replace("LIMIT 500", "LIMIT 2")
        monkeypatch.setattr(fading, name, text)
    run_id = consolidation.start(by=voice)
    real, calls = transitions.archive, []

    def dies_at_the_second(*args, **options):
        calls.append(args)
        if len(calls) == 2:
            raise SystemExit
        return real(*args, **options)

    monkeypatch.setattr(transitions, "archive", dies_at_the_second)
    with pytest.raises(SystemExit):
        jobs.work(seconds=60)
    job = Job.objects.get(pk=run_id)
    assert (job.state, job.counts) == (JobState.RUNNING, {"archived": 2})
    later = timezone.now() + jobs.LOST_AFTER + timedelta(seconds=1)
    with time_machine.travel(later, tick=False):
        work()
    job.refresh_from_db()
    assert (job.state, job.counts) == (JobState.DONE, {"archived": 6})
    assert len({case["memory_id"] for case in job.cases}) == 6
    assert {row(pk).status for pk in ids} == {Status.ARCHIVED}


def test_an_agent_sees_its_own_runs_only(voice):
    run_id = consolidation.start(by=voice, dry_run=True)
    assert consolidation.find(by=voice, run_id=run_id).state == "queued"
    work()
    assert consolidation.find(by=voice, run_id=run_id).state == "done"
    with pytest.raises(NotFound):
        consolidation.find(by=make_caller("other"), run_id=run_id)


def test_the_same_request_twice_is_one_run_until_it_begins(voice):
    first = consolidation.start(by=voice)
    assert consolidation.start(by=voice) == first
    assert consolidation.start(by=voice, dry_run=True) != first
    work()
    assert consolidation.start(by=voice) != first


def test_only_what_the_caller_may_write_is_consolidated(voice):
    reader = make_caller("reader", shared={"shop": "r"})
    with pytest.raises(NamespaceNotWritable):
        consolidation.start(by=reader, namespace="shop")
    bound = make_caller("bound", owner_claim="user-1")
    with pytest.raises(OwnerNotAllowed):
        consolidation.start(by=bound)
    with pytest.raises(OwnerNotAllowed):
        consolidation.start(by=bound, owner_id="user-2")


def test_an_hourly_run_compares_only_what_changed(say, monkeypatch):
    start = timezone.now()
    with time_machine.travel(start - timedelta(hours=8), tick=False):
        say("User drinks tea")
    with time_machine.travel(start - timedelta(hours=5), tick=False):
        planning.plan_runs(now=timezone.now())
        work()
    seen = []
    real = merging.judged
    monkeypatch.setattr(
        merging, "judged", lambda c, *rest: seen.append(c) or real(c, *rest)
    )
    new = say("User plays chess")
    planning.plan_runs(now=timezone.now())
    work()
    assert [one.known.id for one in seen] == [new]


def test_the_clock_queues_one_run_a_namespace(say):
    say("User drinks tea")
    assert planning.plan_runs(now=timezone.now()) == 1
    assert planning.plan_runs(now=timezone.now()) == 0


def test_rejected_memories_go_after_14_days_unless_held(say, consolidate):
    ids = [say("I like blue"), say("User plays chess")]
    with time_machine.travel(timezone.now() - timedelta(days=15), tick=False):
        transitions.reject(ids, now=timezone.now())
    kept = say("User drinks tea")
    transitions.reject([kept], now=timezone.now())
    LegalHold.objects.create(
        memory_id=ids[1], reason="dispute", placed_by="op", placed_at=timezone.now()
    )
    assert consolidate().counts == {"purged": 1}
    left = Memory.unscoped.values_list("pk", flat=True)
    assert set(left) == {ids[1], kept}


def test_old_samples_are_deleted(say):
    say("I like blue")
    for days in (29, 31):
        RecallSample.objects.create(
            namespace=Namespace.objects.get(name="shop"),
            owner=Owner.objects.get(external_id=OWNER),
            recall_id="018f0000-0000-7000-8000-000000000000",
            query="blue",
            at=timezone.now() - timedelta(days=days),
        )
    counts = purging.purge_traces(now=timezone.now())
    assert counts["recall_samples"] == 1
    assert RecallSample.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_saves_during_a_run_lose_nothing(say, voice):
    for n in range(30):
        say(f"User owns book {n}", loaded=True, days_ago=400 if n % 2 else 0)
    run_id = consolidation.start(by=voice)
    failures = []

    def keep_saving():
        try:
            for n in range(30):
                memories.remember(
                    draft=Draft(
                        owner_id=OWNER,
                        content=f"User visits town {n}",
                        namespace="",
                        source_kind="user_input",
                    ),
                    by=voice,
                )
        except Exception as error:  # noqa: BLE001 - reported by the test
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=keep_saving) for _ in range(2)]
    for thread in threads:
        thread.start()
    work()
    for thread in threads:
        thread.join()
    assert not failures
    assert Job.objects.get(pk=run_id).state == JobState.DONE
    towns = Memory.unscoped.filter(content__startswith="User visits town")
    assert towns.values("content").distinct().count() == 30


def test_a_run_for_somebody_unknown_is_seen_by_who_asked(voice):
    bound = make_caller("bound2", owner_claim="nobody-*", shared={"shop": "rw"})
    run_id = consolidation.start(by=bound, owner_id="nobody-yet", namespace="shop")
    work()
    view = consolidation.find(by=bound, run_id=run_id)
    assert (view.state, view.seen, dict(view.counts)) == (JobState.DONE, 0, {})
