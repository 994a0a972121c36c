"""Jobs that people start from the console."""

import pytest

from memory_core import jobs
from memory_core.models import Job, Memory
from memory_core.tasks import rescanning as _registers  # noqa: F401

pytestmark = pytest.mark.django_db


def test_an_operator_has_all_memories_screened_anew(signed_in, held):
    held()
    Memory.unscoped.update(rules_version="2020.1")
    client = signed_in("operator")
    assert "/jobs/rescan/" in client.get("/jobs/").content.decode()
    page = client.post("/jobs/rescan/", follow=True).content.decode()
    assert "Queued: all memories are screened anew" in page
    jobs.work(seconds=60)
    job = Job.objects.get(kind="rescan")
    assert (job.state, job.counts) == ("done", {"waiting": 1})
    assert job.created_by == "operator:operator"


def test_a_moderator_does_not_start_jobs(signed_in):
    page = signed_in("moderator").get("/jobs/").content.decode()
    assert "/jobs/rescan/" not in page
