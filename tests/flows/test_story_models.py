"""A change of the embedding model while users talk and ask."""

import pytest

from memory_core import jobs
from memory_core.actions import models
from memory_core.contracts.callers import SYSTEM
from memory_core.models import EmbeddingModel, MemoryVector
from memory_core.reembedding import filling, run
from memory_core.saving import lookups, vectors
from memory_core.saving.relation import limits
from memory_core.tasks import reembedding as _registers  # noqa: F401
from tests.api.client import HttpAgent
from tests.flows.story import ask, listener, tell

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("vector_space")]

SAID = {
    "我对花生过敏": "有什么食物不能吃",
    "我住在上海": "用户住在哪里",
    "I play chess every Sunday": "what does the user do on weekends",
    "My sister is called Nina": "who is the user's sister",
}


@pytest.fixture
def agent() -> HttpAgent:
    return listener()


@pytest.fixture(autouse=True)
def _in_small_steps(monkeypatch):
    """One memory a turn, nothing to wait for, few probes of the thresholds."""
    few = limits.probes()[::12]
    monkeypatch.setattr(limits, "probes", lambda: few)
    monkeypatch.setattr(filling, "BATCH", 1)
    monkeypatch.setattr(jobs, "TURN_SECONDS", 0.0)
    monkeypatch.setattr(run, "SETTLE_SECONDS", 0.0)
    lookups.forget()


def filled(name: str) -> int:
    return MemoryVector.objects.filter(model__name=name).count()


def finish() -> None:
    while jobs.work(seconds=60):
        pass
    vectors.forget()


def test_recall_and_save_go_on_while_the_model_changes(agent):
    for content in SAID:
        tell(agent, "ming", content, category="profile")
    models.change(by=SYSTEM, model="use")
    reached = []
    while filled("use") < len(SAID):
        jobs.work(seconds=0)
        reached.append(filled("use"))
        for content, query in SAID.items():
            assert ask(agent, "ming", query, touch=False)[0] == content
    assert {1, 2, 3} <= set(reached)

    new = tell(agent, "ming", "我搬到北京了，现在住在北京", category="profile")
    assert new["superseded"]
    assert ask(agent, "ming", "用户住在哪里", touch=False)[0].startswith("我搬到北京")

    finish()
    assert EmbeddingModel.objects.get(state="active").name == "use"
    found = ask(agent, "ming", "用户住在哪里", touch=False)
    assert found[0].startswith("我搬到北京")
    assert "我住在上海" not in found
    for content, query in list(SAID.items())[2:]:
        assert ask(agent, "ming", query, touch=False)[0] == content
