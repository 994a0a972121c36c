"""A ranking profile learns from feedback, is used if it wins, and can be undone."""

import json
from dataclasses import replace
from io import StringIO

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from memory_core.embedding import UNCALIBRATED
from memory_core.models import AuditEntry, Namespace, RankingProfile, RecallSample
from memory_core.recall import flushing
from memory_core.recall.fitting import Case, fit, quality
from memory_core.recall.profiles import DEFAULT
from memory_core.recall.ranking import Candidates, Question
from tests.api.client import new_agent
from tests.api.conftest import vector_space

__all__ = ["vector_space"]


def case(seed, *, wanted_by):
    """Thirty candidates without vectors, of which the one with the most is wanted."""
    random = np.random.default_rng(seed)
    size = 30
    values = {"bm25": random.gamma(2, 2, size), "score": random.random(size)}
    candidates = Candidates(
        cosine=np.full(size, np.nan),
        bm25=values["bm25"],
        session=np.full(size, -1),
        position=np.full(size, -1),
        length=np.full(size, 40.0),
        score=values["score"],
        confidence=np.ones(size),
        about_named=np.zeros(size, dtype=bool),
        asks=np.zeros(size, dtype=bool),
        unspaced=np.zeros(size, dtype=bool),
        observed_at=np.arange(size, dtype=float),
    )
    wanted = np.zeros(size, dtype=bool)
    wanted[int(values[wanted_by].argmax())] = True
    return Case(candidates, Question(40.0, False), UNCALIBRATED, wanted)


def test_weights_move_to_what_users_take():
    cases = [case(n, wanted_by="score") for n in range(60)]
    found = fit(cases, DEFAULT)
    assert found.weights.w_score > DEFAULT.w_score
    assert found.after > found.before
    assert found.wins
    assert (found.cases, found.held_out) == (60, 20)


def test_where_the_weights_are_right_nothing_wins():
    cases = [case(n, wanted_by="bm25") for n in range(60)]
    right = replace(DEFAULT, w_relevance=1.0, w_score=0.0)
    assert quality(cases, right) == 1
    assert not fit(cases, right).wins


def test_too_few_cases_change_nothing():
    found = fit([case(n, wanted_by="score") for n in range(29)], DEFAULT)
    assert found.weights == DEFAULT
    assert not found.wins


def test_no_cases_are_no_gain():
    assert fit([], DEFAULT).gain == 0


NOTES = (
    "tea",
    "tea, please",
    "tea at four o'clock with Lin, who brings the biscuits, and a walk afterwards",
)


def run(*words):
    out = StringIO()
    call_command("ranking", *words, "--namespace", "shop", "--json", stdout=out)
    return json.loads(out.getvalue())


@pytest.fixture
def shop(vector_space):
    """Recalls of which always the longest memory was used, never the first one."""
    agent = new_agent(name="ann", namespace="shop", shared={"shop": "rw"})
    for number in range(36):
        owner = f"user-{number}"
        for content in NOTES:
            agent.post("save", owner_id=owner, content=content, category="event")
        answer = agent.post("recall", owner_id=owner, query="tea").json()
        best = max(answer["memories"], key=lambda one: len(one["content"]))
        flushing.flush()
        used = [best["memory_id"]]
        agent.post("feedback", owner_id=owner, recall_id=answer["recall_id"], used=used)
    return agent


@pytest.mark.django_db
def test_a_profile_is_fitted_on_a_namespaces_own_feedback_and_taken_back(shop):
    assert RecallSample.objects.count() == 36
    tried = run("fit")
    assert tried["cases"] == 36
    assert tried["wins"], tried
    assert not tried["is_used"]
    assert Namespace.objects.get(name="shop").ranking_profile is None
    used = run("fit", "--apply")
    assert used["is_used"]
    assert used["after"] > used["before"]
    assert run("show")["profile"] == used["profile"]
    assert AuditEntry.objects.get(action="ranking.use").details["before"] == "default"
    assert run("back")["profile"] == "default"
    assert Namespace.objects.get(name="shop").ranking_profile is None
    assert run("back")["profile"] == used["profile"]
    assert run("use", "default")["profile"] == "default"
    assert RankingProfile.objects.count() == 1


@pytest.mark.django_db
def test_another_namespace_learns_nothing_from_it(vector_space):
    new_agent(name="ann", namespace="shop", shared={"shop": "rw"})
    found = run("fit", "--apply")
    assert (found["cases"], found["is_used"], found["profile"]) == (0, False, "default")
    with pytest.raises(CommandError):
        run("back")
