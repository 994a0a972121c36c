"""A namespace with memories of several ages, and a way to run a consolidation."""

from datetime import timedelta

import pytest
from django.utils import timezone

from memory_core import jobs
from memory_core.actions import consolidation, memories
from memory_core.contracts.memories import Draft, Imported
from memory_core.models import Job, Memory, MemoryUse
from memory_core.saving import lookups, vectors
from memory_core.tasks import consolidation as _registers  # noqa: F401
from tests.factories import make_caller

OWNER = "user-42"


@pytest.fixture(autouse=True)
def _fresh_lookups():
    lookups.forget()
    vectors.forget()
    yield
    lookups.forget()
    vectors.forget()


@pytest.fixture
def voice(db):
    """A caller who may say that a user said something, in the namespace `shop`."""
    vectors.ensure_model()
    return make_caller("voice", namespace="shop", shared={"shop": "rw"})


@pytest.fixture
def say(voice):
    """Save a statement; with `loaded` it comes from a file and merges with nothing."""

    def say(content, *, by=None, loaded=False, days_ago=0.0, **fields):
        values = {
            "owner_id": OWNER,
            "namespace": "",
            "category": "preference",
            "source_kind": "user_input",
            "source_name": "chat",
            "observed_at": timezone.now() - timedelta(days=days_ago),
            "imported": Imported() if loaded else None,
        }
        draft = Draft(content=content, **(values | fields))
        return memories.remember(draft=draft, by=by or voice).memory_id

    return say


@pytest.fixture
def consolidate(voice):
    """Run a consolidation to its end and return its job."""

    def consolidate(**options):
        run_id = consolidation.start(by=voice, **options)
        work()
        return Job.objects.get(pk=run_id)

    return consolidate


def work():
    """Take turns until nothing is left to do."""
    while jobs.work(seconds=60):
        pass


def row(memory_id):
    return Memory.unscoped.select_related("source").get(pk=memory_id)


def use_of(memory_id):
    return MemoryUse.objects.get(pk=memory_id)


def actions(job):
    return sorted(case["action"] for case in job.cases)
