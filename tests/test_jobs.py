"""Turns: no namespace waits for another one's whole queue."""

import pytest
from django.utils import timezone

from memory_core import jobs
from memory_core.contracts.enums import JobState
from memory_core.models import Job, Namespace

pytestmark = pytest.mark.django_db


@pytest.fixture
def order(monkeypatch):
    """Jobs of the kind "probe" note their namespaces and take two turns each."""
    served: list[str] = []

    def engine(job: Job, until: float) -> bool:
        served.append(job.namespace.name)
        job.done += 1
        job.save(update_fields=["done"])
        return job.done >= job.params["turns"]

    monkeypatch.setattr(jobs, "_engines", {"probe": engine})
    return served


def space(name):
    return Namespace.objects.get_or_create(name=name, defaults={"kind": "shared"})[0]


def queue(name, count=1, turns=1):
    return Job.objects.bulk_create(
        Job(
            kind="probe",
            namespace=space(name),
            params={"turns": turns},
            created_by="test",
            created_at=timezone.now(),
        )
        for _ in range(count)
    )


def test_ten_thousand_jobs_of_one_namespace_let_the_others_pass(order):
    queue("flood", 10_000)
    [other] = queue("quiet")
    while "quiet" not in order:
        jobs.work(seconds=0)
    assert order.index("quiet") <= 1
    other.refresh_from_db()
    assert other.state == JobState.DONE


def test_namespaces_take_turns(order):
    queue("a", 3, turns=2)
    queue("b", 2, turns=2)
    while jobs.work(seconds=0):
        pass
    assert "".join(order) == "ababababaa"


def test_jobs_of_one_namespace_run_one_after_the_other(order):
    first, second = queue("a", 2, turns=2)
    jobs.work(seconds=0)
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.state, first.done) == (JobState.QUEUED, 1)
    assert second.started_at is None


def test_a_failing_job_says_so_and_stops_nobody(order, monkeypatch):
    def fails(job, until):
        raise ValueError("with a text that must not be kept")

    monkeypatch.setitem(jobs._engines, "bad", fails)
    [good] = queue("a")
    bad = Job.objects.create(
        kind="bad", namespace=space("b"), created_by="t", created_at=timezone.now()
    )
    while jobs.work(seconds=0):
        pass
    bad.refresh_from_db()
    good.refresh_from_db()
    assert (bad.state, bad.error) == (JobState.FAILED, "ValueError")
    assert good.state == JobState.DONE


def test_a_paused_job_waits(order):
    [job] = queue("a", turns=5)
    jobs.work(seconds=0)
    Job.objects.filter(pk=job.pk).update(state=JobState.PAUSED)
    assert not jobs.work(seconds=0)
    assert not jobs.beat(job, now=timezone.now())
    job.refresh_from_db()
    assert (job.state, job.done) == (JobState.PAUSED, 1)
