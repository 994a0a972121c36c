"""The worker has the rights for all of it, under its own role and no other."""

import pytest
from django.db import connection
from django.utils import timezone

from memory_core.contracts.erasure import RunState
from memory_core.erasure import canary
from memory_core.models import Memory, Owner
from memory_core.saving import vectors
from memory_core.tasks import erasure as tasks
from tests.erasure.conftest import NAME, OTHER, begin, settled, work

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def as_jobs(voice, say, person, settings):
    """The rest of the test runs under the worker's role."""
    told = say(f"My boss is {NAME}", OTHER)
    settings.PROCESS = "jobs"
    with connection.cursor() as cursor:
        cursor.execute("SET ROLE mneme_jobs")
    yield told
    with connection.cursor() as cursor:
        cursor.execute("RESET ROLE")


def test_the_worker_erases_a_person(as_jobs, person):
    run = work(begin(mentions={as_jobs: "redact"}))
    assert run.state == RunState.LIVE_ERASED
    assert not Owner.objects.filter(pk=person).exists()
    assert NAME not in Memory.unscoped.get(pk=as_jobs).content


def test_the_worker_sends_the_canary(as_jobs):
    vectors.forget()
    tasks.send_canary()
    run = settled(canary.ErasureRun.objects.get(is_canary=True).ref)
    tasks.tend_erasures()
    run.refresh_from_db()
    assert run.state == RunState.LIVE_ERASED
    assert canary.last(now=timezone.now()).is_well
