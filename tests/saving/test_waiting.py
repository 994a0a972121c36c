"""Embedders that are slow, down, or back again: really slow and really down."""

import socket
import time

import numpy as np
import pytest

from memory_core.contracts.enums import VectorSpaceState
from memory_core.embedding import EmbedderUnavailable
from memory_core.models import EmbeddingModel, Memory, MemoryTerm, MemoryVector
from memory_core.saving import vectors, waiting
from tests.saving.conftest import row

pytestmark = pytest.mark.django_db


@pytest.fixture
def dead_endpoint(space, settings):
    """The active model lives at an address where nobody answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings.EMBEDDER_URL = f"http://127.0.0.1:{port}/v1"
    EmbeddingModel.objects.filter(pk=space.id).update(name="openai:nothing")
    vectors.forget()
    yield
    vectors.forget()


@pytest.fixture
def silent_endpoint(space, settings):
    """The active model lives at an address that takes the call and says nothing."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        settings.EMBEDDER_URL = f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        settings.EMBEDDER_TIMEOUT = 0.3
        EmbeddingModel.objects.filter(pk=space.id).update(name="openai:silent")
        vectors.forget()
        yield
    vectors.forget()


def is_back(space):
    EmbeddingModel.objects.filter(pk=space.id).update(name=space.name)
    vectors.forget()


def test_a_save_without_an_embedder_is_stored_and_found_by_words(say, dead_endpoint):
    saved = say("I live in Paris")
    assert (saved.event, saved.embedding) == ("added", "queued")
    assert not MemoryVector.objects.exists()
    assert MemoryTerm.objects.filter(memory_id=saved.memory_id, term="pari").exists()


def test_a_save_does_not_wait_for_a_silent_embedder(say, silent_endpoint):
    assert say("I live in Paris").embedding == "queued"


def test_the_queue_gives_the_vector_later(say, space, dead_endpoint):
    saved = say("I live in Paris")
    with pytest.raises(EmbedderUnavailable):
        waiting.give_vector(saved.memory_id)
    is_back(space)
    assert waiting.give_vector(saved.memory_id) is True
    assert waiting.give_vector(saved.memory_id) is False
    assert row(saved).embedding == "ready"
    assert MemoryVector.objects.get(memory_id=saved.memory_id).model_id == space.id


def test_the_sweep_takes_what_is_left(say, space, dead_endpoint):
    for number in range(20):
        say(f"Thing {number} is quite new", category="event")
    is_back(space)
    assert waiting.give_vectors(limit=17) == 17
    assert waiting.give_vectors(limit=100) == 3
    assert not Memory.unscoped.filter(embedding="queued").exists()


def test_equal_words_need_no_embedder(say, space, dead_endpoint):
    is_back(space)
    first = say("I live in Paris")
    EmbeddingModel.objects.filter(pk=space.id).update(name="openai:nothing")
    vectors.forget()
    again = say("i live in paris!")
    assert (again.memory_id, again.embedding) == (first.memory_id, "ready")


def test_a_big_batch_gets_the_vectors_that_came_in_time(space, settings, monkeypatch):
    settings.EMBEDDER_TIMEOUT = 0.5

    def slowly(model, texts):
        time.sleep(0.2)
        return np.ones((len(texts), 384), dtype=np.float32)

    monkeypatch.setattr(vectors, "embed", slowly)
    found = vectors.embed_in_time(space, ["x"] * (vectors.SLICE * 5))
    got = [vector is not None for vector in found]
    assert got == sorted(got, reverse=True)
    assert vectors.SLICE <= sum(got) <= vectors.SLICE * 3


def test_the_space_of_the_configured_embedder_is_made_once(db):
    first, second = vectors.ensure_model(), vectors.ensure_model()
    assert first == second
    assert EmbeddingModel.objects.get().state == VectorSpaceState.ACTIVE
