"""What another language model does to answers is said afterwards."""

import json

import pytest
from django.utils import timezone

from memory_core.actions import models
from memory_core.contracts.callers import SYSTEM
from memory_core.contracts.recall import RecallQuery
from memory_core.models import Job, Namespace, Owner, RecallSample
from memory_core.models.base import new_id
from memory_core.recall import engine
from memory_core.recall.samples import scope_of
from tests.encoding.conftest import language_model
from tests.reembedding.conftest import OWNER, work

__all__ = ["language_model"]
pytestmark = pytest.mark.django_db


def in_order(handler, _):
    """Rank the notes as they come."""
    notes = json.loads(handler.server_state.requests[-1]["messages"][1]["content"])
    handler.reply(str([note["number"] for note in notes["notes"]]))


def backwards(handler, _):
    notes = json.loads(handler.server_state.requests[-1]["messages"][1]["content"])
    handler.reply(str([note["number"] for note in notes["notes"]][::-1]))


@pytest.fixture
def ranking_model(language_model, settings):
    """Start a model that a local server plays, with patience for a slow machine."""

    def start(script):
        language_model(script)
        settings.LLM_TIMEOUT = 30.0

    return start


def keep_sample(query, **filters):
    """Keep a query with the answer that it has now."""
    sample = RecallSample(
        namespace=Namespace.objects.get(name="shop"),
        owner=Owner.objects.get(external_id=OWNER),
        recall_id=new_id(),
        query=query,
        filters={"top_k": 5, **filters},
        at=timezone.now(),
    )
    asked = RecallQuery(owner_id=OWNER, query=query, top_k=5, touch=False)
    hits = engine.search(SYSTEM, scope_of(sample), asked).hits
    sample.returned = [hit.memory.memory_id for hit in hits]
    sample.save()


def test_a_model_that_ranks_as_the_last_one_changes_nothing(filled, ranking_model):
    keep_sample("Where does the user live?", rerank="llm")
    keep_sample("chess")
    ranking_model(in_order)
    models.follow_language_model()
    work()
    change = models.status().language
    assert (change.model, change.state, change.phase) == ("small", "done", "over")
    assert change.report == {
        "samples": 1,
        "overlap": 1.0,
        "same_first": 1.0,
        "same": 1.0,
        "unanswered": 0,
    }


def test_a_model_that_ranks_otherwise_is_seen(filled, ranking_model):
    keep_sample("Where does the user live?", rerank="llm")
    ranking_model(backwards)
    models.follow_language_model()
    work()
    report = models.status().language.report
    assert (report["samples"], report["same"], report["same_first"]) == (1, 0.0, 0.0)
    assert report["overlap"] == 1.0


def test_a_model_that_is_away_is_no_change(filled, ranking_model, settings):
    keep_sample("Where does the user live?", rerank="llm")
    settings.LLM_URL, settings.LLM_MODEL = "http://127.0.0.1:9/v1", "gone"
    settings.LLM_TIMEOUT = 0.5
    models.follow_language_model()
    work()
    assert models.status().language.report == {"samples": 0, "unanswered": 1}


def test_the_same_model_is_asked_once(filled, ranking_model, settings):
    assert models.follow_language_model() is None
    ranking_model(in_order)
    assert models.follow_language_model().phase == "ask"
    assert models.follow_language_model() is None
    settings.LLM_MODEL = "large"
    assert models.follow_language_model().model == "large"
    assert Job.objects.filter(kind="llm_change").count() == 2
